using System.Security.Authentication;
using System.Text;
using FluentFTP;
using FluentFTP.Exceptions;
using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.FluentFtp.Session;

/// <summary>Opens sessions: makes and connects a client of FluentFTP, and switches off all activity beside the session.</summary>
internal sealed class FluentConnector : IAsyncDisposable
{
    private readonly string _place;
    private readonly Func<CancellationToken, Task<AsyncFtpClient>> _connect;
    private readonly TransferClientOptions _options;
    private readonly ILogger _logger;
    private readonly HostKnowledge _host = new();
    private AsyncFtpClient? _first;

    /// <param name="place">The server's name, for messages.</param>
    /// <param name="first">The client that gave the address, for the first session; or null.</param>
    /// <param name="connect">Makes a client, which may be connected.</param>
    /// <param name="options">The options of the Transfer client.</param>
    public FluentConnector(string place, AsyncFtpClient? first, Func<CancellationToken, Task<AsyncFtpClient>> connect,
        TransferClientOptions options)
    {
        _place = place;
        _first = first;
        _connect = connect;
        _options = options;
        _logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.FluentFtp");
    }

    public ValueTask<FluentSession> OpenAsync(CancellationToken ct) =>
        LogInClock.RunAsync($"The log-in at {_place}", _options.LogInTimeout, _options.TimeProvider, clock =>
            OpenWithinAsync(clock.Token), ct);

    /// <summary>Called when all sessions are closed.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _first, null) is { } unused) await unused.DisposeAsync().ConfigureAwait(false);
    }

    private async ValueTask<FluentSession> OpenWithinAsync(CancellationToken ct)
    {
        AsyncFtpClient? client = null;
        TlsName? name = null;
        try
        {
            client = Interlocked.Exchange(ref _first, null) ?? await _connect(ct).ConfigureAwait(false);
            var mostReplies = Detach(client);
            if (!client.IsConnected)
            {
                name = TlsName.Take(client.Host);
                if (name is { Text: var text }) client.ConfigureAuthentication += (_, tls) => tls.Options.TargetHost = text;
                await client.Connect(ct).ConfigureAwait(false);
            }
            // Names are bytes, which ASCII loses and UTF-8 may; an encoding that the application has chosen stays.
            if (client.Encoding is ASCIIEncoding or UTF8Encoding) client.Encoding = NameEncoding.LosslessUtf8;
            var control = new FluentControl(client, _options, _host, mostReplies, name);
            // Lengths are those of the bytes, in SIZE too.
            var type = await control.ExecuteAsync("TYPE I", ct).ConfigureAwait(false);
            if (!type.IsSuccess) throw ReplyErrors.ToException(type, "TYPE", null, writes: false);
            return new FluentSession(control, _logger);
        }
        catch (Exception e)
        {
            var error = ToError(e, ct);
            name?.Dispose();
            if (client is not null)
            {
                client.Config.DisconnectWithQuit = false;
                await client.DisposeAsync().ConfigureAwait(false);
            }
            throw error;
        }
    }

    // A client that reconnects by itself goes on in mid-sequence, with another connection; NOOPs beside a transfer are answered before the
    // final reply.
    private static int Detach(AsyncFtpClient client)
    {
        var config = client.Config;
        var mostReplies = config.SslSessionLength;
        config.SelfConnectMode = FtpSelfConnectMode.Never;
        config.SslSessionLength = 0;
        config.StaleDataCheck = true;
        config.Noop = false;
        config.NoopTestConnectivity = false;
        client.Status.NoopDaemonEnable = false;
        return mostReplies;
    }

    private Exception ToError(Exception e, CancellationToken ct)
    {
        if (ct.IsCancellationRequested) return new OperationCanceledException("The log-in was cancelled.", e, ct);
        return e switch
        {
            TransferException or OperationCanceledException => e,
            FtpCommandException refusal => Refused(refusal),
            AuthenticationException or FtpInvalidCertificateException or FtpSecurityNotAvailableException =>
                new TransferConnectionException(TransferError.Tls, $"TLS with {_place} failed: {e.Message}", e),
            TimeoutException => new TransferConnectionException(TransferError.Timeout,
                $"{_place} did not answer in the time that FluentFTP waits.", e),
            _ => new TransferConnectionException(TransferError.Lost, $"{_place} could not be reached: {e.Message}", e),
        };
    }

    // The server's text may repeat secrets sent: only the code is reported.
    private TransferConnectionException Refused(FtpCommandException refusal)
    {
        var reply = new Reply(Reply.CodeOf(refusal.CompletionCode), string.Empty, []);
        if (refusal is FtpAuthenticationException && reply.IsPermanentFailure)
            return new(TransferError.Auth, $"{_place} refuses the log-in ({reply.Code}).") { ServerCode = reply.Code };
        var error = ReplyErrors.ToException(reply, string.Empty, null, writes: false);
        return new(error.Error, $"{_place} refuses the session ({reply.Code}).")
        {
            IsTransient = error.IsTransient,
            ServerCode = error.ServerCode,
        };
    }
}
