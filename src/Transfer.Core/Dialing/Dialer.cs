using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Dialing;

/// <summary>Opens TCP connections according to <see cref="DialOptions"/>. No name is ever looked up backwards.</summary>
internal sealed class Dialer
{
    private readonly DialOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;
    private readonly INetwork _network;
    private readonly SocketTuning _tuning;

    /// <summary>Creates a dialer.</summary>
    public Dialer(DialOptions options, ILogger logger, TimeProvider time)
        : this(options, logger, time, SystemNetwork.Instance, NetworkLimits.Current)
    {
    }

    internal Dialer(DialOptions options, ILogger logger, TimeProvider time, INetwork network, NetworkLimits limits)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(time);
        _options = options;
        _logger = logger;
        _time = time;
        _network = network;
        _tuning = new SocketTuning(options, limits, logger);
    }

    /// <inheritdoc cref="DialedConnection.OpenAsync"/>
    public async ValueTask<DialedConnection> DialAsync(string host, int port, DialHints hints = default,
        CancellationToken cancellationToken = default)
    {
        var target = DialTarget.Parse(host, port);
        var handshake = _options.Proxy is { } proxy ? new ProxyHandshake(proxy, target) : null;
        cancellationToken.ThrowIfCancellationRequested();
        if (hints.IsForTls) SystemTrust.Prepare();

        using var timeout = new CancellationTokenSource(_options.ConnectTimeout, _time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        var attempt = new DialAttempt(handshake?.Proxy ?? target, hints, _options, _network, _tuning, _logger, _time);
        try
        {
            var connection = await attempt.ConnectAsync(either.Token).ConfigureAwait(false);
            return await FinishAsync(connection, hints, handshake, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException(cancellationToken);
        }
        catch (OperationCanceledException e) when (timeout.IsCancellationRequested)
        {
            throw attempt.TimedOut(target, e);
        }
    }

    private async ValueTask<DialedConnection> FinishAsync(
        DialedConnection connection, DialHints hints, ProxyHandshake? handshake, CancellationToken ct)
    {
        var socket = connection.Socket;
        try
        {
            _tuning.ApplyCongestionControl(socket, hints.Sends, hints.RoundTrip ?? connection.RoundTrip);
            Log.Connected(_logger, connection.RemoteEndPoint, connection.RoundTrip.GetValueOrDefault().TotalMilliseconds);
            if (handshake is null) return connection;

            await handshake.RunAsync(socket, ct).ConfigureAwait(false);
            Log.TunnelOpened(_logger, _options.Proxy!.Kind, handshake.Proxy);

            // The round trip measured is that to the proxy, not to the server.
            return new DialedConnection(socket, null);
        }
        catch (SocketException e)
        {
            // Reset right after connecting: by a server that is just ending, or by a middlebox that refuses the connection.
            socket.Dispose();
            throw new TransferConnectionException(TransferError.Lost, $"The connection was lost as soon as it was made: {e.Message}", e);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
