using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Connects and logs sessions in, the first one before the rest. AUTH TLS goes alone: nothing may follow in the clear
/// (RFC 4217 section 4).
/// </summary>
internal sealed class FtpConnector
{
    private readonly string _host;
    private readonly int _port;
    private readonly FtpTlsMode _tls;
    private readonly TransferCredential _credential;
    private readonly FtpOptions _options;
    private readonly Action<TimeSpan> _onRoundTrip;
    private readonly ILogger _logger;
    private readonly FtpHostState _state;
    private readonly FtpLadders _ladders;
    private readonly ServerLogIns _turns = new();
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly FtpLogIn _logIn;
    private readonly IReadOnlyList<string> _pins;
    private int _logIns;
    private string? _busy; // why the last log-in in one write ended with 421

    public FtpConnector(
        string host, int port, FtpTlsMode tls, TransferCredential credential, FtpOptions options, ServerMemory? memory,
        Action<TimeSpan> onRoundTrip, ILogger logger)
    {
        _host = host;
        _port = port;
        _tls = tls;
        _credential = credential;
        _options = options;
        _onRoundTrip = onRoundTrip;
        _logger = logger;
        _pins = [.. options.Tls.Pins.Select(KeyPin.Normalize)];
        _state = FtpHostState.For(host, port);
        Buffers = new FtpBuffers(options);
        _ladders = new FtpLadders(host, _state.Rungs, options, memory, logger);
        _logIn = new FtpLogIn(host, credential, options, _state, _ladders, Buffers, onRoundTrip, logger);
    }

    public FtpHostState State => _state;

    /// <summary>The number of sessions that have logged in.</summary>
    public int LogIns => Volatile.Read(ref _logIns);

    /// <summary>The buffers of all sessions.</summary>
    public FtpBuffers Buffers { get; }

    /// <summary>
    /// Opens a session. Until one is open, a server that takes no connection now is tried again; after that the caller learns its limit.
    /// </summary>
    /// <param name="expected">Returns the kind of work that is expected first; null: unknown.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<FtpSession> OpenAsync(Func<WorkKind?> expected, CancellationToken ct)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                var session = await OpenOnceAsync(expected, ct).ConfigureAwait(false);
                _opened.TrySetResult();
                return session;
            }
            catch (TransferConnectionException e)
                when ((e.ServerCode == 421 || DialedConnection.IsRefused(e)) && attempt < _options.Retry.Attempts
                    && !_opened.Task.IsCompleted && !ct.IsCancellationRequested)
            {
                var wait = _options.Retry.DelayAfter(attempt, Random.Shared.NextDouble());
                Log.TakesNoConnection(_logger, _host, e.Message.TrimEnd('.'), wait.TotalSeconds);
                using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
                await Task.WhenAny(Task.Delay(wait, _options.TimeProvider, stop.Token), _opened.Task).ConfigureAwait(false);
                await stop.CancelAsync().ConfigureAwait(false);
                ct.ThrowIfCancellationRequested();
                if (_opened.Task.IsCompleted) throw;
            }
        }
    }

    private ValueTask<FtpSession> OpenOnceAsync(Func<WorkKind?> expected, CancellationToken ct) =>
        _turns.RunAsync($"The log-in at {_host}", _options.LogInTimeout, _options.TimeProvider, clock => OpenAsync(expected, clock), ct);

    private async ValueTask<FtpSession> OpenAsync(Func<WorkKind?> expected, LogInClock clock)
    {
        while (true)
        {
            var recalled = _ladders.RecallAsync();
            var (control, greeting) = await PrepareAsync(clock).ConfigureAwait(false);
            try
            {
                await recalled.WaitAsync(clock.Token).ConfigureAwait(false);
                var session = await clock.InTurnAsync((accepted, _) =>
                    LogInAsync(control, greeting, expected, accepted, clock)).ConfigureAwait(false);
                if (!session.NeedsTls12)
                {
                    Interlocked.Increment(ref _logIns);
                    return session;
                }
                // Another session has meanwhile found that the host resumes only TLS 1.2: this session could not move files.
                await session.DisposeAsync().ConfigureAwait(false);
            }
            catch
            {
                await control.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    /// <summary>
    /// Logs in with everything in one write, else over another connection with command by command. A refused password is no reason: it is
    /// not sent twice.
    /// </summary>
    private async ValueTask<FtpSession> LogInAsync(
        ControlConnection control, FtpReply greeting, Func<WorkKind?> expected, Action accepted, LogInClock clock)
    {
        var attempt = new FtpLogInAttempt { Fallen = Interlocked.Exchange(ref _busy, null), MayPass = true };
        var announced = attempt.Fallen is null && _logIn.MayAnnounce(greeting) ? expected() : null;
        try
        {
            return await _logIn.RunAsync(control, greeting, attempt, announced, accepted, clock.Token).ConfigureAwait(false);
        }
        catch (TransferConnectionException e)
            when (attempt.Fallen is null && _ladders.Commands.IsOnFirst && !clock.Token.IsCancellationRequested
                && MayBeTooMuchAtOnce(greeting, announced, attempt, e))
        {
            // 421 has other reasons too: so the next attempt, which waits, goes command by command.
            if (e.ServerCode == 421)
            {
                _busy = e.Message;
                throw;
            }
            attempt = new FtpLogInAttempt { Fallen = e.Message };
        }
        catch (TransferConnectionException) when (LeavesOut(attempt, clock))
        {
            attempt = attempt.Again();
        }
        await control.DisposeAsync().ConfigureAwait(false);
        while (true)
        {
            (var another, greeting) = await PrepareAsync(clock).ConfigureAwait(false);
            try
            {
                return await _logIn.RunAsync(another, greeting, attempt, null, accepted, clock.Token).ConfigureAwait(false);
            }
            catch (TransferConnectionException) when (LeavesOut(attempt, clock))
            {
                await another.DisposeAsync().ConfigureAwait(false);
                attempt = attempt.Again();
            }
            catch
            {
                await another.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }
    }

    // The password was right, and the next log-in has a command less.
    private bool LeavesOut(FtpLogInAttempt attempt, LogInClock clock)
    {
        if (attempt.Unanswered is not { } verb || clock.Token.IsCancellationRequested) return false;
        Log.CommandLeftOut(_logger, _host, verb);
        return true;
    }

    // Of the servers that are known it is known that they take it, an announcement perhaps not.
    private bool MayBeTooMuchAtOnce(FtpReply greeting, WorkKind? announced, FtpLogInAttempt attempt, TransferConnectionException error)
    {
        if (announced is not null && error.Error == TransferError.Protocol) return true;
        if (!_logIn.MayFallBack(greeting)) return false;
        return error.Error == TransferError.Protocol || !attempt.IsPasswordRefused && error switch
        {
            // The server may still be checking the password. Once that is accepted, some servers hand the connection to another process,
            // and what was read of it by then is lost.
            { Error: TransferError.Timeout } => error.ServerCode is null,
            { Error: TransferError.Lost } => true,
            _ => error.ServerCode >= 500 && !attempt.IsPasswordAccepted,
        };
    }

    /// <summary>
    /// Connects, up to the log-in itself, which sessions do one at a time until one has succeeded. A server that refuses TLS 1.2, which
    /// its greeting or the host's rung has chosen, is connected to again.
    /// </summary>
    private async ValueTask<(ControlConnection Control, FtpReply Greeting)> PrepareAsync(LogInClock clock)
    {
        while (true)
        {
            try
            {
                var control = await ConnectAsync(clock).ConfigureAwait(false);
                try
                {
                    return (control, await PrepareAsync(control, clock).ConfigureAwait(false));
                }
                catch
                {
                    await control.DisposeAsync().ConfigureAwait(false);
                    throw;
                }
            }
            catch (TransferConnectionException e) when (LeavesTls12(e))
            {
                // The rung below offers both versions.
            }
        }
    }

    // An attacker can write the alert: other processes ask the server until data connections have gone without resumed sessions.
    private bool LeavesTls12(TransferConnectionException error) =>
        error.InnerException is TlsVersionException { Offered: SslProtocols.Tls12 }
        && _ladders.DataTls.Leave(FtpTlsRung.Tls12, error.Message, mayPass: true);

    private ValueTask<ControlConnection> ConnectAsync(LogInClock clock) => ControlConnection.OpenAsync(new ControlConnectionSettings
    {
        Host = _host,
        Port = _port,
        Dial = _options.Dial,
        ImplicitTls = _tls == FtpTlsMode.Implicit,
        Tls = _tls == FtpTlsMode.Off ? null : TlsSettings(insists: false, clock),
        Encoding = _options.Encoding ?? NameEncoding.LosslessUtf8,
        IdleTimeout = _options.IdleTimeout,
        Logger = _logger,
        TimeProvider = _options.TimeProvider,
    }, clock.Token);

    private async ValueTask<FtpReply> PrepareAsync(ControlConnection control, LogInClock clock)
    {
        var greeting = await GreetingAsync(control, clock).ConfigureAwait(false);
        if (_tls == FtpTlsMode.Explicit) await StartTlsAsync(control, greeting, clock).ConfigureAwait(false);
        if (!control.IsTls && _credential.Password.Length > 0 && _credential.UserName != FtpTransferClient.AnonymousUser
            && !IsLoopback(control.RemoteEndPoint.Address))
        {
            Log.PasswordInTheClear(_logger, _host);
        }

        return greeting;
    }

    private async ValueTask<FtpReply> GreetingAsync(ControlConnection control, LogInClock clock)
    {
        try
        {
            return await control.GreetingAsync(clock.Token).ConfigureAwait(false);
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Timeout && _tls != FtpTlsMode.Implicit)
        {
            throw new TransferConnectionException(TransferError.Timeout, $"No greeting came ({e.Message.TrimEnd('.')}): a server that "
                + "waits for TLS sends none (ftps:, often at port 990).", e)
            {
                IsTransient = e.IsTransient,
            };
        }
    }

    private async ValueTask StartTlsAsync(ControlConnection control, FtpReply greeting, LogInClock clock)
    {
        var asked = _options.TimeProvider.GetTimestamp();
        var reply = await control.ExecuteAsync(new FtpCommand("AUTH", "TLS"), clock.Token).ConfigureAwait(false);
        _onRoundTrip(_options.TimeProvider.GetElapsedTime(asked));
        if (reply.Code != 234)
        {
            throw new TransferConnectionException(TransferError.Tls,
                $"{_host} {(reply.Code is 431 or 534 ? "refuses" : "offers no")} TLS (AUTH TLS: {reply}); there is no fall-back to clear "
                + "text.")
            {
                ServerCode = reply.Code,
            };
        }
        // Servers that by default insist on resumed sessions are met with the version that resumes: to learn that from a refused transfer
        // would cost every session a second log-in. The greeting is not authentic: it counts until the host has taken TLS 1.3.
        var insists = !_state.TakesTls13
            && FtpServerProfile.Recognise(greeting, FtpFeatureSet.None) is FtpFlavor.Vsftpd or FtpFlavor.ProFtpd or FtpFlavor.FileZilla;
        await control.StartTlsAsync(TlsSettings(insists, clock), clock.Token).ConfigureAwait(false);
    }

    private TlsSettings TlsSettings(bool insists, LogInClock clock)
    {
        var tls = _options.Tls;
        var enabled = tls.Protocols != SslProtocols.None ? tls.Protocols
            : tls is { ProtectData: true, ReuseSessions: true } && _ladders.DataTls.Rung switch
            {
                FtpTlsRung.Tls12 => true,
                FtpTlsRung.NotTls12 => false,
                _ => insists,
            }
            ? SslProtocols.Tls12
            : SslProtocols.Tls12 | SslProtocols.Tls13;
        return new TlsSettings
        {
            ServerName = _host,
            Enabled = enabled,
            ClientCertificate = Protocol.TlsSettings.CreateClientCertificate([.. tls.ClientCertificates]),
            CustomValidation = tls.Validate is { } validate ? Pausing(validate, clock) : null,
            Pins = _pins,
            Authorities = [.. tls.Authorities],
            AcceptAnyCertificate = tls.AcceptAnyCertificate,
            RevocationMode = tls.Revocation,
            ReuseSessions = tls.ReuseSessions,
        };
    }

    // The application may put the question to a person.
    private static RemoteCertificateValidationCallback Pausing(RemoteCertificateValidationCallback validate, LogInClock clock) =>
        (sender, certificate, chain, errors) =>
    {
        using var asking = clock.Pause();
        return validate(sender, certificate, chain, errors);
    };

    private static bool IsLoopback(IPAddress address) => IPAddress.IsLoopback(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address);
}
