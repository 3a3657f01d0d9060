using System.IO.Pipelines;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Settings;

/// <summary>
/// One open channel of a connection (RFC 4254 section 5): two byte streams with back pressure. When the connection dies, both fail with
/// the connection's one <see cref="TransferConnectionException"/>.
/// </summary>
internal abstract class SshChannel : IAsyncDisposable
{
    /// <summary>
    /// The peer's data. Completes at the peer's EOF or close. The receive window opens again as bytes are consumed here.
    /// </summary>
    public abstract PipeReader Input { get; }

    /// <summary>
    /// The data for the peer. A flush waits while the peer's window is closed or the connection's queue is full; completing the writer
    /// sends EOF.
    /// </summary>
    public abstract PipeWriter Output { get; }

    /// <summary>
    /// The largest window that the peer has opened so far, in bytes: the most data under way before the peer must answer. OpenSSH opens
    /// session channels with 0 and gives the real window with the answer to the subsystem or exec request, so read this after the first
    /// answer.
    /// </summary>
    public abstract long SendWindow { get; }

    /// <summary>The path's round trip, measured during connecting; zero when unknown.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>The methods that were agreed for the channel's connection; empty when unknown.</summary>
    public virtual IReadOnlyList<ServerFact> Methods => [];

    /// <summary>The exit status of a command, once the channel has ended; null when none was sent (RFC 4254 section 6.10).</summary>
    public abstract Task<int?> ExitStatus { get; }

    /// <summary>The end of a command's error stream, without the password.</summary>
    public virtual string ErrorText => string.Empty;

    /// <summary>A text of the server in a form to show: printable, and without the password.</summary>
    public virtual string Show(string text) => WireText.Clean(text);

    /// <summary>
    /// Runs a command on the same connection (RFC 4254 section 6.5); null: no connection that runs commands. A refusal shows when the
    /// input is read.
    /// </summary>
    /// <exception cref="TransferException">The server opens no further channel, or the connection is lost.</exception>
    public virtual ValueTask<SshChannel?> ExecuteBesideAsync(string command, CancellationToken ct) => new((SshChannel?)null);

    /// <summary>
    /// Requests the end of the channel's command (SIGTERM, RFC 4254 section 6.9), without an answer. Nothing happens on a channel without
    /// a command.
    /// </summary>
    public virtual void Terminate()
    {
    }

    /// <summary>Closes the channel, not the connection.</summary>
    public abstract ValueTask DisposeAsync();
}
