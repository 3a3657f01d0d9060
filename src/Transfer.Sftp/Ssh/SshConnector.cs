using System.Net.Sockets;
using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Channels;
using Transfer.Sftp.Ssh.Transport;

namespace Transfer.Sftp.Ssh;

/// <summary>
/// Connects and logs in. Round trips, one line each, to a channel that can be used:
/// <code>
/// 1  TCP
/// 2  our version and KEXINIT leave together    their version and KEXINIT
/// 3  our public value                          theirs, host key, signature, NEWKEYS, extensions
/// 4  NEWKEYS, service request, first attempt   logged in
/// 5  CHANNEL_OPEN                              confirmed
/// -  "subsystem" or "exec" leaves with the first bytes of whoever uses the channel: not waited for
/// </code>
/// So the answer to SFTP's INIT is there after six. Several keys cost one more (the server is asked which it takes), keyboard-interactive one more, and
/// so does every attempt that is refused.
/// </summary>
internal static class SshConnector
{
    /// <exception cref="TransferConnectionException">The connection could not be made: what it is lost, refused or timed out by is in its error.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> fired.</exception>
    public static async ValueTask<SshConnection> ConnectAsync(SshConnectionSettings settings, CancellationToken ct)
    {
        var (stream, dialTime) = await OpenStreamAsync(settings, ct).ConfigureAwait(false);
        return await ConnectAsync(stream, dialTime, settings, ct).ConfigureAwait(false);
    }

    /// <summary>The same over a stream that is open already, which the connection then owns.</summary>
    public static async ValueTask<SshConnection> ConnectAsync(Stream stream, TimeSpan? dialTime, SshConnectionSettings settings, CancellationToken ct)
    {
        var transport = new SshTransport(stream, settings);
        try
        {
            await transport.HandshakeAsync(ct).ConfigureAwait(false);
            await new Authenticator(transport, settings).LogInAsync(ct).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            if (e is not OperationCanceledException) transport.Fail(e);
            await transport.DisposeAsync().ConfigureAwait(false);
            transport.EndReading();
            if (e is OperationCanceledException or InvalidOperationException) throw;
            throw transport.Failure!;
        }

        var roundTrip = dialTime is { } dialed && !(transport.RoundTrip < dialed) ? dialed : transport.RoundTrip ?? TimeSpan.Zero;
        Log.SshLoggedIn(settings.Logger, settings.Host, roundTrip);
        return new SshConnection(transport, new Multiplexer(transport, settings), roundTrip);
    }

    private static async ValueTask<(Stream Stream, TimeSpan? DialTime)> OpenStreamAsync(SshConnectionSettings settings, CancellationToken ct)
    {
        if (settings.Through is { } through)
            return (await through.OpenTunnelAsync(settings.Host, settings.Port, ct).ConfigureAwait(false), null);
        var dialed = await settings.Dialer.DialAsync(settings.Host, settings.Port, settings.DialHints, ct).ConfigureAwait(false);
        return (new NetworkStream(dialed.Socket, ownsSocket: true), dialed.RoundTrip);
    }
}
