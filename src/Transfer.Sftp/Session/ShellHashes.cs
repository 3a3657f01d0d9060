using System.IO.Pipelines;
using Microsoft.Extensions.Logging;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Session;

/// <summary>
/// SHA-256 of files by a command of the host, where its SSH server runs commands: SFTP version 3 has no hashes. Tried at the first hash,
/// once a client. Requests made while a command runs go to the next one together. Thread-safe.
/// </summary>
internal sealed class ShellHashes(TransferClientOptions options, ILogger logger)
{
    /// <summary>The only algorithm.</summary>
    public const string Algorithm = "SHA-256";

    private const int MostTogether = 256;

    // A large file's hash takes minutes.
    private const int PatienceForOne = 10;

    private readonly Lock _gate = new();
    private readonly List<Wanted> _wanted = [];
    private bool _running;
    private bool _impossible;

    /// <summary>Requests a file's hash.</summary>
    /// <param name="channel">The session's channel: the command runs on its connection.</param>
    /// <param name="home">The log-in folder by SFTP: a shell that starts elsewhere may not see the same files.</param>
    /// <param name="path">The file, absolute, in the server's bytes.</param>
    /// <param name="ct">Gives up the wait.</param>
    /// <returns>Lower-case hex; null when the host gives no hash.</returns>
    public async ValueTask<string?> GetAsync(SshChannel channel, byte[] home, byte[] path, CancellationToken ct)
    {
        var wanted = new Wanted(path);
        lock (_gate)
        {
            if (_impossible) return null;
            _wanted.Add(wanted);
            if (!_running)
            {
                _running = true;
                _ = Task.Run(() => RunAllAsync(channel, home), CancellationToken.None);
            }
        }
        return await wanted.Hash.Task.WaitAsync(ct).ConfigureAwait(false);
    }

    private async Task RunAllAsync(SshChannel channel, byte[] home)
    {
        while (true)
        {
            Wanted[] some;
            lock (_gate)
            {
                some = [.. _wanted.Take(_impossible ? _wanted.Count : MostTogether)];
                _wanted.RemoveRange(0, some.Length);
                _running = some.Length > 0;
                if (!_running) return;
            }
            try
            {
                if (!_impossible) await RunAsync(channel, home, some).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                // The command was refused, or the connection lost: the caller reads the file back, and meets the error.
                if (e is TransferException { IsTransient: false } and not TransferConnectionException) Refuse(e.Message);
            }
            foreach (var wanted in some) wanted.Hash.TrySetResult(null);
        }
    }

    private async ValueTask RunAsync(SshChannel beside, byte[] home, Wanted[] some)
    {
        // A shell answers at once. A hash may take long, but not for ever.
        using var patience = new CancellationTokenSource(options.IdleTimeout, options.TimeProvider);
        var command = await WithinAsync(beside.ExecuteBesideAsync(ShellScript.Command, patience.Token),
            patience.Token).ConfigureAwait(false);
        if (command is null)
        {
            Refuse("no commands can be run");
            return;
        }
        await using var end = command.ConfigureAwait(false);
        var marker = $"transfer-{Guid.NewGuid():N}";
        await WithinAsync(command.Output.WriteAsync(ShellScript.Write(marker, some.Select(wanted => wanted.Path)), patience.Token),
            patience.Token).ConfigureAwait(false);
        await command.Output.CompleteAsync().ConfigureAwait(false);
        var answers = new ShellAnswers(marker, home);
        using var onPatience = patience.Token.UnsafeRegister(static input => ((PipeReader)input!).CancelPendingRead(), command.Input);
        while (true)
        {
            var result = await command.Input.ReadAsync().ConfigureAwait(false);
            var rest = result.Buffer;
            while (answers.TryTake(ref rest, out var index, out var hash))
            {
                if (index < some.Length) some[index].Hash.TrySetResult(hash);
            }
            if (answers.Trusted && options.IdleTimeout > TimeSpan.Zero) patience.CancelAfter(options.IdleTimeout * PatienceForOne);
            command.Input.AdvanceTo(rest.Start, rest.End);
            if (result.IsCompleted || answers.HasEnded || result.IsCanceled) break;
        }
        if (!answers.Trusted) Refuse("no shell that sees the same files has answered");
    }

    // A time-out counts as a refusal.
    private static async ValueTask<T> WithinAsync<T>(ValueTask<T> step, CancellationToken patience)
    {
        try
        {
            return await step.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            throw new TransferException(TransferError.Timeout, "no shell has answered") { IsTransient = false };
        }
    }

    private void Refuse(string why)
    {
        lock (_gate) _impossible = true;
        Log.NoShellHashes(logger, why);
    }

    private sealed record Wanted(byte[] Path)
    {
        public TaskCompletionSource<string?> Hash { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
