using System.Net;
using System.Security.Authentication;
using System.Text;
using Microsoft.Extensions.Logging;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Connects and logs in, in the fewest round trips: everything after the greeting, or after TLS, is one batch. Only
/// AUTH TLS goes alone, since nothing may follow it in the clear (RFC 4217 section 4). What the server can do is asked by one session, and those after it go by
/// its answer: FEAT alone is a dozen lines, which some servers send as so many segments, more than a young connection may have under way.
/// </summary>
internal sealed class FtpConnector
{
    private readonly string _host;
    private readonly int _port;
    private readonly FtpTlsMode _tls;
    private readonly TransferCredential _credential;
    private readonly FtpOptions _options;
    private readonly ILogger _logger;
    private readonly FtpHostState _state;
    private readonly LogInGate _gate = new();
    private Task<FtpServerProfile?>? _profile;

    public FtpConnector(string host, int port, FtpTlsMode tls, TransferCredential credential, FtpOptions options, ILogger logger)
    {
        _host = host;
        _port = port;
        _tls = tls;
        _credential = credential;
        _options = options;
        _logger = logger;
        _state = FtpHostState.For(host, port);
        Buffers = new FtpBuffers(options);
    }

    public FtpHostState State => _state;

    /// <summary>What all sessions have their buffers from.</summary>
    public FtpBuffers Buffers { get; }

    public async ValueTask<FtpSession> OpenAsync(CancellationToken ct)
    {
        var arrival = _gate.Arrive();
        var control = await ControlConnection.OpenAsync(new ControlConnectionSettings
        {
            Host = _host,
            Port = _port,
            Dial = _options.Dial,
            ImplicitTls = _tls == FtpTlsMode.Implicit,
            Tls = _tls == FtpTlsMode.Off ? null : TlsSettings(insists: false),
            Encoding = _options.Encoding ?? NameEncoding.LosslessUtf8,
            IdleTimeout = _options.IdleTimeout,
            Logger = _logger,
            TimeProvider = _options.TimeProvider,
        }, ct).ConfigureAwait(false);
        try
        {
            return await PrepareAsync(control, arrival, ct).ConfigureAwait(false);
        }
        catch
        {
            await control.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    // Up to the log-in itself, which only the first session does before another has succeeded.
    private async ValueTask<FtpSession> PrepareAsync(ControlConnection control, int arrival, CancellationToken ct)
    {
        var greeting = await control.GreetingAsync(ct).ConfigureAwait(false);
        if (_tls == FtpTlsMode.Explicit) await StartTlsAsync(control, greeting, ct).ConfigureAwait(false);
        if (!control.IsTls && _credential.Password.Length > 0 && _credential.UserName != FtpTransferClient.AnonymousUser && !IsLoopback(control.RemoteEndPoint.Address))
            Log.PasswordInTheClear(_logger, _host);
        return await _gate.RunAsync(arrival, (accepted, token) => LogInAsync(control, greeting, accepted, token), ct).ConfigureAwait(false);
    }

    private async ValueTask<FtpSession> LogInAsync(ControlConnection control, FtpReply greeting, Action accepted, CancellationToken ct)
    {
        var answer = new TaskCompletionSource<FtpServerProfile?>(TaskCreationOptions.RunContinuationsAsynchronously);
        var asked = Interlocked.CompareExchange(ref _profile, answer.Task, null);
        FtpServerProfile? profile = null;
        FtpReply utf8;
        try
        {
            var replies = await SendAsync(control, [.. LogInCommands(control.IsTls), .. asked is null ? Questions : []], accepted, ct).ConfigureAwait(false);
            utf8 = replies["OPTS"];
            if (asked is null) profile = Profile(greeting, replies);
        }
        finally
        {
            if (asked is null)
            {
                // Of a session that failed in between nothing is known: the next one asks.
                if (profile is null) Volatile.Write(ref _profile, null);
                answer.SetResult(profile);
            }
        }
        if (asked is not null) profile = await asked.WaitAsync(ct).ConfigureAwait(false);
        // Another server under the same name, or none that answered.
        if (profile?.Banner != greeting.Text.Trim()) profile = Profile(greeting, await SendAsync(control, Questions, accepted, ct).ConfigureAwait(false));

        control.Encoding = _options.Encoding ?? (profile.Features.Has("UTF8") || utf8.IsSuccess ? NameEncoding.LosslessUtf8 : _options.FallbackEncoding ?? NameEncoding.LosslessUtf8);
        var deflates = await StartDeflateAsync(control, profile.Features, ct).ConfigureAwait(false);
        if (_options.Tls.ClearControl && control.IsTls) await ClearControlAsync(control, ct).ConfigureAwait(false);

        var context = new FtpSessionContext(control, profile, _state, _options, Buffers, deflates, _logger);
        Log.LoggedIn(_logger, _host, profile.Banner, profile.Flavor.ToString(), context.Pipelining.ToString(),
            control.IsTls ? control.TlsProtocol.ToString() : "no TLS");
        return new FtpSession(context);
    }

    /// <summary>Sends commands together, checks what must not fail, and gives the replies by their commands' verbs.</summary>
    private async ValueTask<Dictionary<string, FtpReply>> SendAsync(ControlConnection control, IReadOnlyList<FtpCommand> batch, Action accepted, CancellationToken ct)
    {
        var replies = new Dictionary<string, FtpReply>(StringComparer.Ordinal);
        foreach (var pending in await control.SendAsync(batch, ct).ConfigureAwait(false))
        {
            var reply = await pending.FinalAsync(ct).ConfigureAwait(false);
            replies[pending.Command.Verb] = reply;
            Check(pending.Command, reply, replies);
            if (pending.Command.Is(_options.Account is null ? "PASS" : "ACCT")) accepted();
        }
        return replies;
    }

    private static FtpServerProfile Profile(FtpReply greeting, Dictionary<string, FtpReply> replies) =>
        new(greeting, FtpFeatureSet.Parse(replies["FEAT"]), Home(replies["PWD"]), replies["SYST"]);

    // What the server can do, and where the log-in folder is.
    private static IReadOnlyList<FtpCommand> Questions { get; } = [new("SYST"), new("FEAT"), new("PWD")];

    private List<FtpCommand> LogInCommands(bool tls)
    {
        var batch = new List<FtpCommand>();
        // HOST comes before USER (RFC 7151 section 3.1).
        if (_options.VirtualHost is { } host) batch.Add(new FtpCommand("HOST", host));
        batch.Add(new FtpCommand("USER", _credential.UserName));
        batch.Add(new FtpCommand("PASS", _credential.Password, Secret: true));
        if (_options.Account is { } account) batch.Add(new FtpCommand("ACCT", account.Value, Secret: true));
        if (tls)
        {
            batch.Add(new FtpCommand("PBSZ", "0"));
            batch.Add(new FtpCommand("PROT", _options.Tls.ProtectData ? "P" : "C"));
        }
        if (_options.ClientName is { } client) batch.Add(new FtpCommand("CLNT", client));
        batch.Add(new FtpCommand("OPTS", "UTF8 ON"));
        batch.Add(new FtpCommand("TYPE", _options.TransferType == FtpTransferType.Ascii ? "A" : "I"));
        return batch;
    }

    /// <summary>What must not fail in the batch. Everything behind a failed log-in is answered with 530 and not looked at.</summary>
    private void Check(FtpCommand command, FtpReply reply, Dictionary<string, FtpReply> replies)
    {
        switch (command.Verb)
        {
            case "HOST" when !reply.IsSuccess:
                throw new TransferConnectionException(TransferError.Auth, $"The server refuses the virtual host {command.Argument}: {reply.Code}.") { ServerCode = reply.Code };
            // 331 and 332 ask for more, 230 needs no password, 530 refuses the user.
            case "USER" when !reply.IsSuccess && !reply.IsIntermediate:
            // 332 asks for the account; 503 is what some servers say to a password that USER did not ask for.
            case "PASS" when !reply.IsSuccess && reply.Code != 332 && !(reply.Code == 503 && replies["USER"].IsSuccess):
            // An account nobody asked for may be refused.
            case "ACCT" when !reply.IsSuccess && replies["PASS"].Code == 332:
                throw LogInFailed(reply);
            case "PASS" when reply.Code == 332 && _options.Account is null:
                throw new TransferConnectionException(TransferError.Auth, $"{_host} wants an account after the password.") { ServerCode = reply.Code };
            case "PROT" when !reply.IsSuccess:
                throw new TransferConnectionException(TransferError.Tls, $"The server refuses the data protection level that was asked for (PROT): {reply.Code}.") { ServerCode = reply.Code };
            case "TYPE" when !reply.IsSuccess:
                throw new TransferConnectionException(TransferError.Unsupported, $"The server refuses TYPE {command.Argument}: {reply.Code}.") { ServerCode = reply.Code };
        }
    }

    private TransferConnectionException LogInFailed(FtpReply reply)
    {
        var busy = reply.Code == 421;
        return new TransferConnectionException(busy ? TransferError.Lost : TransferError.Auth,
            busy ? $"{_host} takes no more connections now ({reply.Code})." : $"{_host} refuses the log-in of {_credential.UserName} ({reply.Code}).")
        {
            ServerCode = reply.Code,
        };
    }

    private async ValueTask StartTlsAsync(ControlConnection control, FtpReply greeting, CancellationToken ct)
    {
        var reply = await control.ExecuteAsync(new FtpCommand("AUTH", "TLS"), ct).ConfigureAwait(false);
        if (reply.Code != 234)
        {
            throw new TransferConnectionException(TransferError.Tls, $"{_host} offers no TLS (AUTH TLS: {reply.Code}); there is no fall-back to clear text.")
            {
                ServerCode = reply.Code,
            };
        }
        // A server that names itself as one of those that want sessions resumed unless told otherwise is met with the version that can:
        // to find out by a refused transfer would cost every session its log-in again.
        var insists = FtpServerProfile.Recognise(greeting, FtpFeatureSet.None) is FtpFlavor.Vsftpd or FtpFlavor.ProFtpd or FtpFlavor.FileZilla;
        await control.StartTlsAsync(TlsSettings(insists), ct).ConfigureAwait(false);
    }

    private async ValueTask ClearControlAsync(ControlConnection control, CancellationToken ct)
    {
        var reply = await control.ExecuteAsync(new FtpCommand("CCC"), ct).ConfigureAwait(false);
        if (!reply.IsSuccess)
            throw new TransferConnectionException(TransferError.Unsupported, $"{_host} refuses CCC: {reply.Code}.") { ServerCode = reply.Code };
        await control.StopTlsAsync(ct).ConfigureAwait(false);
    }

    private async ValueTask<bool> StartDeflateAsync(ControlConnection control, FtpFeatureSet features, CancellationToken ct)
    {
        if (!_options.Deflate) return false;
        if (!features.Has("MODE", "Z"))
        {
            Log.FeatureMissing(_logger, "MODE Z", "nothing is compressed");
            return false;
        }
        var reply = await control.ExecuteAsync(new FtpCommand("MODE", "Z"), ct).ConfigureAwait(false);
        return reply.IsSuccess;
    }

    private TlsSettings TlsSettings(bool insists)
    {
        var tls = _options.Tls;
        var enabled = tls.Protocols != SslProtocols.None ? tls.Protocols
            : (insists || _state.ResumesTls12Only) && tls is { ProtectData: true, ReuseSessions: true } ? SslProtocols.Tls12 : SslProtocols.Tls12 | SslProtocols.Tls13;
        return new TlsSettings
        {
            ServerName = _host,
            Enabled = enabled,
            ClientCertificate = Protocol.TlsSettings.CreateClientCertificate([.. tls.ClientCertificates]),
            CustomValidation = tls.Validate,
            Pins = tls.Pins,
            AcceptAnyCertificate = tls.AcceptAnyCertificate,
            RevocationMode = tls.Revocation,
            ReuseSessions = tls.ReuseSessions,
        };
    }

    /// <summary>The path of a 257 reply: in quotes, quotes inside doubled (RFC 959 appendix II). The root when the server does not say.</summary>
    private static string Home(FtpReply reply)
    {
        if (reply.Code != 257) return "/";
        var text = reply.Text;
        var start = text.IndexOf('"', StringComparison.Ordinal);
        if (start < 0) return "/";
        var path = new StringBuilder();
        for (var i = start + 1; i < text.Length; i++)
        {
            if (text[i] != '"') path.Append(text[i]);
            else if (i + 1 < text.Length && text[i + 1] == '"') path.Append(text[i++]);
            else break;
        }
        return path.Length > 0 && path[0] == '/' ? path.ToString() : "/" + path.ToString();
    }

    private static bool IsLoopback(IPAddress address) => IPAddress.IsLoopback(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address);
}
