using System.Diagnostics;

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
    {
        var start = new ProcessStartInfo(BuiltCommand.Program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true
        };
        start.Environment["HOME"] = home;
        start.Environment.Remove("XDG_STATE_HOME");
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
