using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>Connects to a receiver: TCP, TLS and this side's proof in two round trips, and the archives right behind the proof.</summary>
internal sealed class DirectDialer : ILinkDialer
{
    private readonly BatchAddress _address;
    private readonly DialOptions _options;
    private readonly ILogger _logger;
    private readonly TimeSpan _idle;
    private readonly TimeSpan _logIn;
    private readonly TimeProvider _time;
    private readonly int _ahead;
    private TimeSpan? _roundTrip; // of the previous connection

    public DirectDialer(BatchAddress address, DialOptions options, TimeSpan idle, TimeSpan logIn, ILogger logger, TimeProvider time,
        int ahead = LinkConnection.MostAhead)
    {
        _logIn = logIn;
        _ahead = ahead;
        _address = address;
        _options = options;
        _logger = logger;
        _idle = idle;
        _time = time;
    }

    public ValueTask<OpenedLink> OpenAsync(Action<TimeSpan> onRoundTrip, CancellationToken ct) =>
        LogInClock.RunAsync($"The log-in at {_address}", _logIn, _time, async clock =>
    {
        var opened = await OpenWithinAsync(onRoundTrip, clock.Token).ConfigureAwait(false);
        return opened with { LogInTimeout = _logIn, LogInTime = clock.Spent };
    }, ct);

    private async ValueTask<OpenedLink> OpenWithinAsync(Action<TimeSpan> onRoundTrip, CancellationToken ct)
    {
        var hints = new DialHints { RoundTrip = _roundTrip, Sends = true, IsForTls = true };
        var dialed = await DialedConnection.OpenAsync(_address.Host, _address.Port, _options, hints, _logger, _time,
            ct).ConfigureAwait(false);
        DirectStream? tls = null;
        try
        {
            // Behind a proxy the round-trip time is unknown at this point.
            var roundTrip = dialed.RoundTrip;
            if (roundTrip is { } known) onRoundTrip(known);
            _roundTrip ??= roundTrip;
            tls = new DirectStream(dialed, _time);
            var started = _time.GetTimestamp();
            await HandShakeAsync(tls, ct).ConfigureAwait(false);
            // Else the handshake gives the time: a round trip and some computing.
            if (roundTrip is null) onRoundTrip(_time.GetElapsedTime(started));
            return await SayHelloAsync(tls, ct).ConfigureAwait(false);
        }
        catch
        {
            if (tls is not null) await tls.DisposeAsync().ConfigureAwait(false);
            dialed.Dispose();
            throw;
        }
    }

    private async ValueTask HandShakeAsync(DirectStream tls, CancellationToken ct)
    {
        using var timeout = new CancellationTokenSource(_idle, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, timeout.Token);
        try
        {
            await tls.AuthenticateAsClientAsync(DirectTls.ForSender(_address.Token), either.Token).ConfigureAwait(false);
            DirectTls.Check(tls);
        }
        catch (Exception e) when (e is AuthenticationException or CryptographicException)
        {
            throw new TransferConnectionException(TransferError.Tls,
                $"The peer at {_address} is not the receiver of the token: {e.Message}", e);
        }
        catch (Exception e) when (e is IOException and not TransferException)
        {
            throw new TransferConnectionException(TransferError.Lost,
                $"The connection to {_address} was lost in the TLS handshake: {e.Message}", e);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            throw new OperationCanceledException(ct);
        }
        catch (OperationCanceledException e)
        {
            throw new TransferConnectionException(TransferError.Timeout,
                $"{_address} did not answer in the TLS handshake within {_idle.TotalSeconds:0.###} s.", e);
        }
    }

    private async ValueTask<OpenedLink> SayHelloAsync(DirectStream tls, CancellationToken ct)
    {
        var token = _address.Token;
        var shown = (X509Certificate2)tls.RemoteCertificate!;
        var certificate = shown.RawData;
        var nonce = RandomNumberGenerator.GetBytes(HelloMessage.NonceLength);
        var link = new LinkConnection(tls, _idle, _time, _ahead);
        try
        {
            var hello = new HelloMessage(HelloMessage.CurrentVersion, HelloMessage.Milliseconds(_idle), nonce,
                DirectProof.OfSender(token, nonce, certificate));
            await link.Writer.WriteAsync(hello, ct).ConfigureAwait(false);
        }
        catch
        {
            await link.DisposeAsync().ConfigureAwait(false);
            throw;
        }
        return new OpenedLink(link, theirs =>
        {
            if (!DirectProof.Holds(theirs.Proof, DirectProof.OfReceiver(token, nonce, theirs.Nonce, certificate)))
                throw new TransferConnectionException(TransferError.Auth, $"The receiver at {_address} does not know the token's secret.");
        })
        {
            HasFiles = DirectProof.HasFilesFlag(token, shown.SerialNumberBytes.Span),
        };
    }
}
