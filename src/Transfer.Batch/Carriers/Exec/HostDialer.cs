using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>Starts our own command at a host and speaks the link protocol with it. It says hello first: nothing is sent to whatever else may be called so.</summary>
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
    /// <param name="overwrite">What it does with files that exist.</param>
    /// <param name="perms">It gives files exactly the permissions that they have here.</param>
    /// <param name="folder">Where it receives, absolute.</param>
    /// <param name="proof">A folder that SFTP makes, and</param>
    /// <param name="proving">its making, beside which the command starts.</param>
    public HostDialer(HostShell shell, OverwriteMode overwrite, bool perms, string folder, string proof, Task proving)
    {
        _shell = shell;
        _script = HostScript.Receive(overwrite, perms);
        _folder = folder;
        _proof = proof;
        _proving = proving;
    }

    /// <summary>Starts the command for the first <see cref="OpenAsync"/>, before there is anything to carry.</summary>
    /// <returns>Ends when it has said hello; fails where there is no such command.</returns>
    public Task PrepareAsync(CancellationToken ct) => _prepared = StartAsync(ct).AsTask();

    public async ValueTask<OpenedLink> OpenAsync(Action<TimeSpan> onRoundTrip, CancellationToken ct)
    {
        if (_prepared is not { } prepared) return await StartAsync(ct).ConfigureAwait(false);
        await ((Task)prepared).WaitAsync(ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // Whoever drops it ends the command.
        ct.ThrowIfCancellationRequested();
        _prepared = null;
        return await prepared.ConfigureAwait(false);
    }

    /// <summary>Ends a prepared command that nobody wants any more.</summary>
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
            var hello = await LogInClock.RunAsync("The greeting of the command at the server", _shell.LogInTimeout, _shell.Time, clock => GreetingAsync(command, clock.Token), ct).ConfigureAwait(false);
            if (!IsHello(hello.Span)) throw new TransferException(TransferError.Unsupported, "The command transfer at the server is not this one, or does not receive.") { IsTransient = false };
            var idle = _shell.IdleTimeout > TimeSpan.Zero ? _shell.IdleTimeout : UsualIdle;
            link = new LinkConnection(command, idle, _shell.Time);
            // Nobody proves anything: SSH has done that.
            await link.Writer.WriteAsync(new HelloMessage(HelloMessage.CurrentVersion, HelloMessage.Milliseconds(idle), new byte[HelloMessage.NonceLength], []), ct).ConfigureAwait(false);
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
        // It has ended, and may have said why.
        if (hello.IsEmpty) await command.CheckStatusAsync(ct).ConfigureAwait(false);
        return hello;
    }

    private static bool IsHello(ReadOnlySpan<byte> start) =>
        start.Length == LinkFrame.HeaderLength + HelloMessage.Magic.Length && start[0] == (byte)LinkMessageType.Hello && start[LinkFrame.HeaderLength..].SequenceEqual(HelloMessage.Magic);
}
