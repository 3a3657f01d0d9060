using System.Diagnostics;
using System.Globalization;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Command;

/// <summary>A <c>transfer</c> that is under way, to be watched and killed. One that is disposed of before its end is killed.</summary>
internal sealed class RunningCommand : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    private readonly Process _process;
    private readonly Task<string> _errors;

    /// <param name="home">Its user's home.</param>
    /// <param name="arguments">The command line.</param>
    public RunningCommand(string home, params string[] arguments)
        : this(server: null, home, arguments, environment: null)
    {
    }

    /// <param name="server">The server whose password the command has; null: none.</param>
    /// <param name="home">Its user's home.</param>
    /// <param name="arguments">The command line.</param>
    /// <param name="environment">Further variables; null: none.</param>
    public RunningCommand(
        RealServer? server, string home, IReadOnlyList<string> arguments, IReadOnlyDictionary<string, string>? environment)
    {
        var start = new ProcessStartInfo(BuiltCommand.Program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        };
        start.Environment["HOME"] = home;
        start.Environment.Remove("XDG_STATE_HOME");
        start.Environment.Remove("SSH_AUTH_SOCK");
        if (server is not null) start.Environment["TRANSFER_PASSWORD"] = server.Credential.Password;
        foreach (var (name, value) in environment ?? new Dictionary<string, string>()) start.Environment[name] = value;
        _process = Process.Start(start)!;
        _process.StandardInput.Close();
        _errors = _process.StandardError.ReadToEndAsync();
    }

    public bool HasEnded => _process.HasExited;

    /// <summary>The next line that it prints.</summary>
    public async Task<string> ReadLineAsync() =>
        await _process.StandardOutput.ReadLineAsync().WaitAsync(Limit)
            ?? throw new InvalidOperationException($"It has ended: {await _errors}");

    /// <summary>As <c>kill -9</c> does; returns when it is gone. False: it had ended before.</summary>
    public async Task<bool> KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync().WaitAsync(Limit);
        return _process.ExitCode == 128 + 9;
    }

    /// <summary>Interrupts the command as Ctrl-C does.</summary>
    public void Interrupt() => Shell.Run("kill", "-INT", _process.Id.ToString(CultureInfo.InvariantCulture));

    /// <summary>The memory of the process that is not swapped out.</summary>
    public long ResidentKibibytes()
    {
        _process.Refresh();
        return _process.WorkingSet64 / 1024;
    }

    /// <summary>Waits for its end.</summary>
    public async Task<TransferCommand.Outcome> EndAsync()
    {
        var output = await _process.StandardOutput.ReadToEndAsync().WaitAsync(Limit);
        await _process.WaitForExitAsync().WaitAsync(Limit);
        return new TransferCommand.Outcome(_process.ExitCode, output, await _errors);
    }

    public void Dispose()
    {
        if (!_process.HasExited) _process.Kill();
        _process.Dispose();
    }
}
