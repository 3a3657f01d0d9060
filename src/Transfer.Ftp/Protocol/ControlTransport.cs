using System.Net.Sockets;
using Transfer.Sessions;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// The bytes under a control connection: plain or TLS, switched at the moments RFC 4217 allows. Not thread-safe; <see cref="Close"/> is.
/// </summary>
internal sealed class ControlTransport : IAsyncDisposable
{
    private static readonly TimeSpan GoodbyeTime = TimeSpan.FromSeconds(1);

    private readonly ControlConnectionSettings _settings;
    private readonly WatchedStream _raw;
    private readonly Socket? _socket;
    private TlsTargetHost? _targetHost;

    public ControlTransport(Stream transport, Socket? socket, ControlConnectionSettings settings, Action onRead)
    {
        _settings = settings;
        _socket = socket;
        _raw = new WatchedStream(transport, onRead);
    }

    /// <summary>The present stream of commands and replies.</summary>
    public Stream Stream => (Stream?)Tls ?? _raw;

    /// <summary>The TLS layer, or null in plain text.</summary>
    public TlsStream? Tls { get; private set; }

    /// <summary>The identity of the TLS session, for data connections. Stays when TLS ends.</summary>
    public TlsIdentity? Identity { get; private set; }

    /// <summary>Whether received bytes are still unread.</summary>
    public bool HasUnreadBytes => _socket is { } socket && socket.Available > 0;

    /// <summary>Whether all that has come in plain text is read. Of TLS that is not known: each record is read on its own.</summary>
    public bool IsDrained => Tls is null && _socket is { Available: 0 };

    /// <summary>Does the TLS handshake, by the connection's settings or by newer ones.</summary>
    /// <exception cref="TransferConnectionException">The handshake failed or took longer than the idle time-out.</exception>
    public async ValueTask SecureAsync(TlsSettings? instead, CancellationToken ct)
    {
        var tls = instead ?? _settings.Tls ?? throw new InvalidOperationException("There are no TLS settings.");
        var host = _targetHost ??= TlsTargetHosts.Shared.Rent(tls.ServerName);
        if (tls.ReuseSessions && !host.IsExclusive)
            Log.NoTargetHostLeft(_settings.Logger, tls.ServerName);
        // A server that has agreed to TLS speaks TLS: plain text behind the answer to AUTH may be an attack.
        var foreign = _settings.ImplicitTls ? TransferError.Protocol : TransferError.Tls;
        await BoundedAsync(
            async token => (Tls, Identity) = await TlsHandshake.ControlAsync(_raw, tls, host, foreign, token).ConfigureAwait(false),
            "The server did not finish the TLS handshake",
            ct).ConfigureAwait(false);
        Log.ControlSecured(_settings.Logger, $"{Tls!.SslProtocol}", $"{Tls.NegotiatedCipherSuite}", Identity!.TargetHost, Identity.Reuses);
    }

    /// <summary>Returns to plain text after both sides have sent close_notify.</summary>
    /// <exception cref="TransferConnectionException">The server did not end TLS, or not within the idle time-out.</exception>
    public async ValueTask EndTlsAsync(CancellationToken ct)
    {
        await BoundedAsync(ExchangeCloseNotifyAsync, "The server did not end TLS", ct).ConfigureAwait(false);
        await Tls!.DisposeAsync().ConfigureAwait(false);
        Tls = null;
        Log.ControlPlain(_settings.Logger);
    }

    /// <summary>Sends close_notify as a courtesy before closing, if that takes no time and no received bytes are being read.</summary>
    public async ValueTask SayGoodbyeAsync()
    {
        if (Tls is not null && await Tls.TrySendCloseNotifyAsync(GoodbyeTime, _settings.TimeProvider).ConfigureAwait(false) is { } why)
            Log.CloseNotifyFailed(_settings.Logger, why);
    }

    /// <summary>Closes the connection, even during reads and writes.</summary>
    public void Close() => _raw.Dispose();

    public async ValueTask DisposeAsync()
    {
        Close();
        if (Tls is not null)
            await Tls.DisposeAsync().ConfigureAwait(false);
        _targetHost?.Dispose();
    }

    private async ValueTask ExchangeCloseNotifyAsync(CancellationToken ct)
    {
        var tls = Tls!;
        await tls.SendCloseNotifyAsync(ct).ConfigureAwait(false);
        if (await tls.ReadAsync(new byte[1], ct).ConfigureAwait(false) != 0)
            throw new TransferException(TransferError.Protocol, "The server went on under TLS after agreeing to end TLS.");
        if (_raw.SawEnd)
            throw new TransferException(TransferError.Lost, "The server closed the connection instead of ending TLS.");
    }

    private async ValueTask BoundedAsync(Func<CancellationToken, ValueTask> step, string complaint, CancellationToken ct)
    {
        var limit = _settings.IdleTimeout > TimeSpan.Zero ? _settings.IdleTimeout : Timeout.InfiniteTimeSpan;
        using var late = new CancellationTokenSource(limit, _settings.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, late.Token);
        try
        {
            await step(either.Token).ConfigureAwait(false);
        }
        catch (Exception) when (ct.IsCancellationRequested)
        {
            throw new OperationCanceledException(ct);
        }
        catch (Exception e) when (late.IsCancellationRequested)
        {
            throw new TransferConnectionException(TransferError.Timeout, $"{complaint} within {limit.TotalSeconds:0.###} s.", e);
        }
        catch (TransferException e)
        {
            throw new TransferConnectionException(e.Error, e.Message, e.InnerException) { IsTransient = e.IsTransient };
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            throw new TransferConnectionException(TransferError.Lost, $"{complaint}: the connection was lost.", e);
        }
    }
}
