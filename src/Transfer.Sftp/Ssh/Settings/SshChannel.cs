using System.IO.Pipelines;

namespace Transfer.Sftp.Ssh.Settings;

/// <summary>
/// One open channel of a connection (RFC 4254 section 5): two byte streams with back pressure. When the connection dies, both ends
/// fail with its one <see cref="TransferConnectionException"/>.
/// </summary>
internal abstract class SshChannel : IAsyncDisposable
{
    /// <summary>What the peer sends. Completes at its EOF or close. The receive window opens again as bytes are consumed here.</summary>
    public abstract PipeReader Input { get; }

    /// <summary>What we send. A flush is held back while the peer's window is closed or the connection's queue is full; completing it sends EOF.</summary>
    public abstract PipeWriter Output { get; }

    /// <summary>
    /// The largest window the peer has had open for us so far, in bytes: how much can be under way before it must answer. OpenSSH opens session channels with
    /// 0 and gives the real one with its answer to the subsystem or exec request, so look at it after the first answer.
    /// </summary>
    public abstract long SendWindow { get; }

    /// <summary>The path's round trip as connecting showed it; zero: not known.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>The exit status of a command, once the channel has ended; null when none was told (RFC 4254 section 6.10).</summary>
    public abstract Task<int?> ExitStatus { get; }

    /// <summary>The last of what a command wrote to its error stream.</summary>
    public virtual string ErrorText => string.Empty;

    /// <summary>Runs a command on the same connection (RFC 4254 section 6.5); null: it has none that runs commands. A refusal shows when its input is read.</summary>
    /// <exception cref="TransferException">The server opens no further channel, or the connection is lost.</exception>
    public virtual ValueTask<SshChannel?> ExecuteBesideAsync(string command, CancellationToken ct) => new((SshChannel?)null);

    /// <summary>
    /// Asks the server to end the channel's command (SIGTERM, RFC 4254 section 6.9); it is not answered. Nothing happens where the
    /// channel has none.
    /// </summary>
    public virtual void Terminate()
    {
    }

    /// <summary>Closes the channel, not its connection.</summary>
    public abstract ValueTask DisposeAsync();
}
