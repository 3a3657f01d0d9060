using Transfer.Sessions;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh.Auth;
using Transfer.Sftp.Ssh.Channels;
using Transfer.Sftp.Ssh.Settings;
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
/// 6  "subsystem" or "exec", not waited for     accepted
/// </code>
/// The first bytes on the channel leave right after the request where the server has opened its window with the channel: SFTP's VERSION
/// arrives after six. OpenSSH opens a session's window only when accepting the request, which would make seven, but takes a first
/// channel with the log-in (<see cref="EarlyChannel"/>): four. Several keys cost one more (a query for the accepted key),
/// keyboard-interactive one more, and so does every refused attempt.
/// </summary>
internal static class SshConnector
{
    /// <exception cref="TransferConnectionException">
    /// The connection could not be made: the error shows whether lost, refused or timed out.
    /// </exception>
    /// <exception cref="LogInHeldException">A connection with an unrepeatable log-in is open.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="ct"/> fired.</exception>
    public static ValueTask<SshConnection> ConnectAsync(SshConnectionSettings settings, CancellationToken ct) =>
        WithinAsync(settings, async timed =>
    {
        var (stream, dialTime) = await OpenStreamAsync(timed, timed.Clock!.Token).ConfigureAwait(false);
        return await ConnectAsync(stream, dialTime, timed, timed.Clock).ConfigureAwait(false);
    }, ct);

    /// <summary>Connects over an open stream, which the connection then owns.</summary>
    public static ValueTask<SshConnection> ConnectAsync(Stream stream, TimeSpan? dialTime, SshConnectionSettings settings,
        CancellationToken ct) =>
        WithinAsync(settings, timed => ConnectAsync(stream, dialTime, timed, timed.Clock!), ct);

    private static ValueTask<SshConnection> WithinAsync(SshConnectionSettings settings,
        Func<SshConnectionSettings, ValueTask<SshConnection>> logIn, CancellationToken ct) =>
        settings.Turns.RunAsync($"The log-in at {settings.Place}", settings.LogInTimeout, settings.TimeProvider,
            async clock =>
            {
                await settings.Trust.PrepareAsync(clock.Token).ConfigureAwait(false);
                var timed = settings with { Clock = clock, Interaction = Pausing(settings.Interaction, clock) };
                return await logIn(timed).ConfigureAwait(false);
            }, ct);

    private static SshInteraction? Pausing(SshInteraction? interaction, LogInClock clock) =>
        interaction is null ? null : async (questions, ct) =>
    {
        using var asking = clock.Pause();
        return await interaction(questions, ct).ConfigureAwait(false);
    };

    private static async ValueTask<SshConnection> ConnectAsync(Stream stream, TimeSpan? dialTime, SshConnectionSettings settings,
        LogInClock clock)
    {
        var ct = clock.Token;
        var transport = new SshTransport(stream, settings);
        EarlyChannel? early = null;
        try
        {
            await transport.HandshakeAsync(ct).ConfigureAwait(false);
            if (transport.RoundTrip is { } answered) settings.OnRoundTrip?.Invoke(answered);
            var roundTrip = dialTime is { } dialed && !(transport.RoundTrip < dialed) ? dialed : transport.RoundTrip ?? TimeSpan.Zero;
            var channels = new Multiplexer(transport, settings, roundTrip);
            if (settings.Early is { } use && EarlyChannel.IsTakenBy(transport.ServerVersion))
                early = new EarlyChannel(transport, channels, use);
            var isOneTime = await clock.InTurnAsync((_, token) => LogInAsync(transport, settings, early, token)).ConfigureAwait(false);
            Log.SshLoggedIn(settings.Logger, settings.Host, roundTrip);
            return new SshConnection(transport, channels, settings.Place) { HasOneTimeLogIn = isOneTime, LogInTime = clock.Spent };
        }
        catch (Exception e)
        {
            if (e is not OperationCanceledException) transport.Fail(e);
            await transport.DisposeAsync().ConfigureAwait(false);
            transport.EndReading();
            early?.GiveUp();
            if (e is OperationCanceledException or InvalidOperationException or LogInHeldException) throw;
            throw transport.Failure!;
        }
    }

    /// <summary>Logs in. True: the log-in took one-time answers.</summary>
    private static async ValueTask<bool> LogInAsync(SshTransport transport, SshConnectionSettings settings, EarlyChannel? early,
        CancellationToken ct)
    {
        if (settings.LogIns.IsHeld) throw new LogInHeldException(settings.Place);
        var authenticator = new Authenticator(transport, settings, early);
        await authenticator.LogInAsync(ct).ConfigureAwait(false);
        if (authenticator.IsOneTime) settings.LogIns.Hold(transport);
        return authenticator.IsOneTime;
    }

    /// <summary>Opens the stream to the host: a socket, or a tunnel through the host before.</summary>
    public static async ValueTask<(Stream Stream, TimeSpan? DialTime)> OpenStreamAsync(SshConnectionSettings settings, CancellationToken ct)
    {
        if (settings.Through is { } through) return (await OpenTunnelAsync(through, settings, ct).ConfigureAwait(false), null);
        var dialed = await DialedConnection.OpenAsync(settings.Host, settings.Port, settings.Dial, settings.DialHints, settings.Logger,
            settings.TimeProvider, ct).ConfigureAwait(false);
        return (dialed.Stream, dialed.RoundTrip);
    }

    /// <summary>
    /// Opens a tunnel. The host before connects for the client, in at most the time of a dial; it answers keep-alives meanwhile, so
    /// nothing else would end the wait.
    /// </summary>
    private static async ValueTask<Stream> OpenTunnelAsync(ISshTunnel through, SshConnectionSettings settings, CancellationToken ct)
    {
        using var limit = new CancellationTokenSource(settings.TunnelTimeout, settings.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, limit.Token);
        try
        {
            return await through.OpenTunnelAsync(settings.Host, settings.Port, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!ct.IsCancellationRequested)
        {
            throw new TransferConnectionException(
                TransferError.Timeout,
                $"{through.Place} did not reach {HostName.Display(settings.Host, settings.Port)} within "
                + $"{settings.TunnelTimeout.TotalSeconds:0.#} s.", e);
        }
        catch (OperationCanceledException)
        {
            throw new OperationCanceledException(ct);
        }
        catch (TransferException e)
        {
            throw new TransferConnectionException(e.Error, $"{HostName.Display(settings.Host, settings.Port)} is not reached: {e.Message}",
                e)
            {
                ServerCode = e.ServerCode,
                IsTransient = e.IsTransient,
            };
        }
    }
}
