using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Starts the SDK's own command at a host, with the link protocol over the command's streams. The command sends the first hello:
/// nothing is sent to another program of the same name.</summary>
internal sealed class HostDialer : ILinkDialer
{
    private static readonly TimeSpan UsualIdle = TimeSpan.FromSeconds(60);

    private readonly HostShell _shell;
    private readonly string _script;
    private readonly string _folder;
    private readonly string _proof;
    private readonly Task _proving;
    private Task<OpenedLink>? _prepared;

    /// <param name="shell">The host's shell.</param>
    /// <param name="overwrite">How the command treats files that exist.</param>
    /// <param name="perms">Whether files get exactly the permissions that they have here.</param>
    /// <param name="folder">The absolute path of the receiving folder.</param>
    /// <param name="proof">A folder created over SFTP, and</param>
    /// <param name="proving">the task of creating that folder, while the command starts.</param>
    public HostDialer(HostShell shell, OverwriteMode overwrite, bool perms, string folder, string proof, Task proving)
    {
        _shell = shell;
        _script = HostScript.Receive(overwrite, perms);
        _folder = folder;
        _proof = proof;
        _proving = proving;
    }

    /// <summary>Starts the command for the first <see cref="OpenAsync"/>, before there is anything to carry.</summary>
    /// <returns>Completes with the command's hello; fails where there is no such command.</returns>
    public Task PrepareAsync(CancellationToken ct) => _prepared = StartAsync(ct).AsTask();

    public async ValueTask<OpenedLink> OpenAsync(Action<TimeSpan> onRoundTrip, CancellationToken ct)
    {
        if (_prepared is not { } prepared) return await StartAsync(ct).ConfigureAwait(false);
        await ((Task)prepared).WaitAsync(ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // Dropping ends the command.
        ct.ThrowIfCancellationRequested();
        _prepared = null;
        return await prepared.ConfigureAwait(false);
    }

    /// <summary>Ends a prepared command that is not needed any more.</summary>
    public async ValueTask DropAsync()
    {
        if (_prepared is not { } prepared) return;
        _prepared = null;
        await ((Task)prepared).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (prepared.IsCompletedSuccessfully) await (await prepared.ConfigureAwait(false)).Connection.DisposeAsync().ConfigureAwait(false);
    }

    private async ValueTask<OpenedLink> StartAsync(CancellationToken ct)
    {
        var command = await _shell.StartAsync(_script, _folder, ct, making: _proving, proof: _proof, flows: false).ConfigureAwait(false);
        LinkConnection? link = null;
        var started = _shell.Time.GetTimestamp();
        try
        {
            var hello = await LogInClock.RunAsync("The greeting of the command at the server", _shell.LogInTimeout, _shell.Time,
                clock => GreetingAsync(command, clock.Token), ct).ConfigureAwait(false);
            if (!IsHello(hello.Span))
            {
                throw new TransferException(TransferError.Unsupported,
                    "The command transfer at the server is not this one, or does not receive.")
                { IsTransient = false };
            }

            var idle = _shell.IdleTimeout > TimeSpan.Zero ? _shell.IdleTimeout : UsualIdle;
            link = new LinkConnection(command, idle, _shell.Time);
            // Without proofs: SSH has authenticated both sides.
            await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, HelloMessage.Milliseconds(idle),
                new byte[HelloMessage.NonceLength], []), ct).ConfigureAwait(false);
            return new OpenedLink(link, _ => { }) { LogInTimeout = _shell.LogInTimeout, LogInTime = _shell.Time.GetElapsedTime(started) };
        }
        catch
        {
            if (link is not null) await link.DisposeAsync().ConfigureAwait(false);
            await command.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private static async ValueTask<ReadOnlyMemory<byte>> GreetingAsync(HostCommand command, CancellationToken ct)
    {
        var hello = await command.PeekAsync(LinkFrame.HeaderLength + HelloMessage.Magic.Length, ct).ConfigureAwait(false);
        // The command has ended, and its status may explain why.
        if (hello.IsEmpty) await command.CheckStatusAsync(ct).ConfigureAwait(false);
        return hello;
    }

    private static bool IsHello(ReadOnlySpan<byte> start) =>
        start.Length == LinkFrame.HeaderLength + HelloMessage.Magic.Length && start[0] == (byte)LinkMessageType.Hello
        && start[LinkFrame.HeaderLength..].SequenceEqual(HelloMessage.Magic);
}
