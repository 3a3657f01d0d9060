using Microsoft.Extensions.Logging;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Protocol;
using Transfer.Sessions;

namespace Transfer.Ftp.Session;

/// <summary>
/// Logs in, in the fewest round trips: everything after the greeting, or after TLS, is one batch. One session requests the server's
/// features, and later sessions use that answer: FEAT alone is a dozen lines, which some servers send as so many segments, more than a
/// young connection may have under way.
/// </summary>
internal sealed class FtpLogIn
{
    private readonly string _host;
    private readonly TransferCredential _credential;
    private readonly FtpOptions _options;
    private readonly FtpHostState _state;
    private readonly FtpLadders _ladders;
    private readonly FtpBuffers _buffers;
    private readonly Action<TimeSpan> _onRoundTrip;
    private readonly ILogger _logger;
    private Task<FtpServerProfile?>? _profile;

    public FtpLogIn(
        string host, TransferCredential credential, FtpOptions options, FtpHostState state, FtpLadders ladders, FtpBuffers buffers,
        Action<TimeSpan> onRoundTrip, ILogger logger)
    {
        _host = host;
        _credential = credential;
        _options = options;
        _state = state;
        _ladders = ladders;
        _buffers = buffers;
        _onRoundTrip = onRoundTrip;
        _logger = logger;
    }

    /// <summary>
    /// Whether a data connection may be announced with the log-in: the greeting names a server that takes batches (all of these have EPSV),
    /// and no step in between changes data connections.
    /// </summary>
    public bool MayAnnounce(FtpReply greeting) =>
        _ladders.DataPort.Rung == FtpDataPort.Epsv
        && _options is { DataMode: not FtpDataMode.Active, Deflate: false, Tls.ClearControl: false }
        && FtpServerProfile.Recognise(greeting, FtpFeatureSet.None) is not FtpFlavor.Unknown and var flavor
        && FtpSessionContext.PipeliningFor(flavor, _ladders, _options) == FtpPipelining.Batched;

    /// <summary>
    /// Whether a log-in in one write may be followed by one command by command. Servers known by their greeting take one write, and may
    /// delay the reply to a password for as long as the log-in may take.
    /// </summary>
    public bool MayFallBack(FtpReply greeting) =>
        !_state.LogsInTogether && FtpServerProfile.Recognise(greeting, FtpFeatureSet.None) == FtpFlavor.Unknown;

    /// <summary>Logs one session in.</summary>
    /// <param name="control">The control connection.</param>
    /// <param name="greeting">The server's greeting.</param>
    /// <param name="attempt">The way of the log-in, and how far it came.</param>
    /// <param name="announced">The kind of the first transfer: its data connection is announced and opened. Null: none.</param>
    /// <param name="accepted">Called when the server has accepted the credentials.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask<FtpSession> RunAsync(
        ControlConnection control, FtpReply greeting, FtpLogInAttempt attempt, WorkKind? announced, Action accepted, CancellationToken ct)
    {
        var passive = new FtpPassiveConnector(control, _state, _ladders, _options);
        FtpDataTicket? ahead = null;
        TransferConnectionException? mixed = null;
        var rung = attempt.Fallen is null ? _ladders.Commands.Rung : FtpCommandRung.OneByOne;
        try
        {
            var (profile, utf8) = await SendAsync(control, greeting, rung, announces: announced is not null, attempt, Heard,
                ct).ConfigureAwait(false);
            if (rung == FtpCommandRung.Together) _state.LogsInTogether = true;
            if (attempt.Fallen is { } fallen) _ladders.Commands.Leave(FtpCommandRung.Together, fallen, attempt.MayPass);
            _ladders.Confirm();
            control.Encoding = _options.Encoding
                ?? (profile.Features.Has("UTF8") || utf8.IsSuccess
                    ? NameEncoding.LosslessUtf8 : _options.FallbackEncoding ?? NameEncoding.LosslessUtf8);
            var deflates = await StartDeflateAsync(control, profile.Features, ct).ConfigureAwait(false);
            if (_options.Tls.ClearControl && control.IsTls) await ClearControlAsync(control, ct).ConfigureAwait(false);

            var context = new FtpSessionContext(control, profile, _state, _ladders, _options, _buffers, deflates, _logger)
            {
                Renames = _state.RenamesOf(_credential.UserName),
            };
            Log.LoggedIn(_logger, _host, profile.Banner, profile.Flavor.ToString(), context.Pipelining.ToString(),
                control.IsTls ? control.TlsProtocol.ToString() : "no TLS");
            return new FtpSession(context, passive, ahead);
        }
        catch
        {
            if (ahead is not null) await ahead.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        void Heard(FtpCommand command, FtpReply reply)
        {
            if (command.Is(_options.Account is null ? "PASS" : "ACCT")) accepted();
            if (announced is null) return;
            mixed ??= FtpReplyOrder.FindMisplacedReply(command, reply);
            // The reply to the password comes first: refused, it is not sent again.
            if (mixed is not null && !command.Is("HOST") && !command.Is("USER")) throw mixed;
            // The first transfer will handle a refusal.
            if (command.Is("EPSV") && reply.IsSuccess)
                ahead = passive.OpenAhead(command, new DataSettings { Sends = announced == WorkKind.Upload }, Task.FromResult(reply));
        }
    }

    private async ValueTask<(FtpServerProfile Profile, FtpReply Utf8)> SendAsync(
        ControlConnection control, FtpReply greeting, FtpCommandRung rung, bool announces, FtpLogInAttempt attempt,
        Action<FtpCommand, FtpReply> heard, CancellationToken ct)
    {
        var answer = new TaskCompletionSource<FtpServerProfile?>(TaskCreationOptions.RunContinuationsAsynchronously);
        var asked = Interlocked.CompareExchange(ref _profile, answer.Task, null);
        FtpServerProfile? profile = null;
        FtpReply utf8;
        try
        {
            // The questions come last: their replies may be longer than one send of the server.
            FtpCommand[] batch = [.. LogInCommands(control.IsTls), .. announces ? Announcement : [], .. asked is null ? Questions : []];
            var replies = await SendAsync(batch).ConfigureAwait(false);
            utf8 = To(replies, "OPTS");
            if (asked is null) profile = await ProfileAsync(replies).ConfigureAwait(false);
        }
        finally
        {
            if (asked is null)
            {
                // A session that failed in between leaves no profile: the next session sends the questions.
                if (profile is null) Volatile.Write(ref _profile, null);
                answer.SetResult(profile);
            }
        }
        if (asked is not null) profile = await asked.WaitAsync(ct).ConfigureAwait(false);
        // Another server under the same name, or no profile: the session that sent the questions failed.
        if (profile?.Banner != greeting.Text.Trim())
        {
            profile = await ProfileAsync(await SendAsync(Questions).ConfigureAwait(false)).ConfigureAwait(false);
        }
        return (profile, utf8);

        ValueTask<Dictionary<string, FtpReply>> SendAsync(IReadOnlyList<FtpCommand> commands) =>
            this.SendAsync(control, commands, rung, MayFallBack(greeting), attempt, heard, ct);

        async ValueTask<FtpServerProfile> ProfileAsync(Dictionary<string, FtpReply> replies)
        {
            var home = FtpHome.Of(To(replies, "PWD"))
                ?? FtpHome.Of(To(await SendAsync([OldQuestion]).ConfigureAwait(false), OldQuestion.Verb));
            return new(greeting, FtpFeatureSet.Parse(To(replies, "FEAT")), home, To(replies, "SYST"));
        }
    }

    /// <summary>Sends commands, checks the required ones, and returns the replies by verb.</summary>
    private async ValueTask<Dictionary<string, FtpReply>> SendAsync(
        ControlConnection control, IReadOnlyList<FtpCommand> commands, FtpCommandRung rung, bool mayFallBack, FtpLogInAttempt attempt,
        Action<FtpCommand, FtpReply> heard, CancellationToken ct)
    {
        var replies = new Dictionary<string, FtpReply>(StringComparer.Ordinal);
        var asked = _options.TimeProvider.GetTimestamp();
        var openedAt = _ladders.Rungs.NextMoment();
        var waiting = new FtpLogInReplies(_host, control, _options);
        if (rung == FtpCommandRung.Together)
        {
            commands = [.. commands.Where(command => !IsLeftOut(command))];
            foreach (var pending in await control.SendAsync(commands, ct).ConfigureAwait(false))
            {
                Take(pending.Command, mayFallBack ? await waiting.ReadAsync(pending, ct).ConfigureAwait(false)
                    : await pending.GetFinalReplyAsync(ct).ConfigureAwait(false));
            }
            return replies;
        }
        foreach (var command in commands)
        {
            if (IsNeeded(command, replies) && !IsLeftOut(command)) await AskAsync(command).ConfigureAwait(false);
        }
        return replies;

        // Behind a command without a reply, no reply is certain: the log-in is done again, without that command.
        async ValueTask AskAsync(FtpCommand command)
        {
            try
            {
                var pending = (await control.SendAsync([command], ct).ConfigureAwait(false))[0];
                Take(command, IsOptional(command) ? await waiting.ReadOptionalAsync(pending, ct).ConfigureAwait(false)
                    : await pending.GetFinalReplyAsync(ct).ConfigureAwait(false));
                if (IsOptional(command)) _ladders.LogIn[command.Verb].NoteAnswer();
            }
            catch (TransferConnectionException e)
                when (IsOptional(command) && e is { Error: TransferError.Timeout or TransferError.Lost, ServerCode: null })
            {
                if (_ladders.LogIn[command.Verb].LeaveUnanswered(FtpOffer.Used, e, openedAt)) attempt.Unanswered = command.Verb;
                throw;
            }
        }

        void Take(FtpCommand command, FtpReply reply)
        {
            if (replies.Count == 0) _onRoundTrip(_options.TimeProvider.GetElapsedTime(asked));
            replies[command.Verb] = reply;
            attempt.Note(command, reply);
            Check(control, command, reply, replies);
            heard(command, reply);
        }
    }

    // One by one, nothing is sent that the replies so far make needless.
    private static bool IsNeeded(FtpCommand command, Dictionary<string, FtpReply> replies) => command.Verb switch
    {
        "PASS" => !replies["USER"].IsSuccess,
        "ACCT" => replies.Values.Any(reply => reply.Code == 332),
        _ => true,
    };

    // What is not answered counts as refused.
    private static FtpReply To(Dictionary<string, FtpReply> replies, string verb) =>
        replies.GetValueOrDefault(verb) ?? new FtpReply(502, ["left out"]);

    private bool IsOptional(FtpCommand command) => _ladders.LogIn.ContainsKey(command.Verb);

    private bool IsLeftOut(FtpCommand command) => _ladders.LogIn.TryGetValue(command.Verb, out var ladder) && !ladder.IsOnFirst;

    // For the server's features and the log-in folder.
    private static IReadOnlyList<FtpCommand> Questions { get; } = [new("SYST"), new("FEAT"), new("PWD")];

    // PWD before RFC 959 (RFC 775).
    private static FtpCommand OldQuestion { get; } = new("XPWD");

    private static IReadOnlyList<FtpCommand> Announcement { get; } = [new("EPSV")];

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

    /// <summary>Checks the required commands of the batch. Behind a failed log-in every command gets 530.</summary>
    private void Check(ControlConnection control, FtpCommand command, FtpReply reply, Dictionary<string, FtpReply> replies)
    {
        switch (command.Verb)
        {
            case "HOST" when !reply.IsSuccess:
                throw new TransferConnectionException(TransferError.Auth,
                    $"The server refuses the virtual host {command.Argument}: {reply.Code}.")
                { ServerCode = reply.Code };
            // 331 and 332 request more, 230 needs no password, 530 refuses the user.
            case "USER" when !reply.IsSuccess && !reply.IsIntermediate:
            // 332 requests the account. After a USER that logged in, any reply to the password that was not requested will do.
            case "PASS" when !reply.IsSuccess && reply.Code is not (332 or 421) && !replies["USER"].IsSuccess:
            case "PASS" when reply.Code == 421:
            // An account that was not requested may be refused.
            case "ACCT" when !reply.IsSuccess && replies.Values.Any(before => before.Code == 332):
                throw LogInFailed(control, command, reply);
            case "USER" or "PASS" when reply.Code == 332 && _options.Account is null:
                throw new TransferConnectionException(TransferError.Auth,
                    $"{_host} wants an account too (ACCT; the option Account, --account-file).")
                {
                    ServerCode = reply.Code,
                };
            // pyftpdlib answers a wrong password seconds later, and the commands behind it at once.
            case "PROT" or "TYPE" when reply.Code == 530:
                throw LogInFailed(control, command, reply);
            case "PROT" when !reply.IsSuccess:
                throw new TransferConnectionException(TransferError.Tls, _options.Tls.ProtectData
                    ? "The server refuses to encrypt data connections, which ProtectData = false (--clear-data) does without "
                        + $"(PROT): {reply}"
                    : $"The server refuses data connections in the clear (PROT): {reply}")
                { ServerCode = reply.Code };
            case "TYPE" when !reply.IsSuccess:
                throw new TransferConnectionException(TransferError.Unsupported,
                    $"The server refuses TYPE {command.Argument}: {reply.Code}.")
                { ServerCode = reply.Code };
        }
    }

    private TransferConnectionException LogInFailed(ControlConnection control, FtpCommand command, FtpReply reply)
    {
        var busy = reply.Code == 421;
        var hint = command.Is("USER") && !control.IsTls ? " A server that demands TLS refuses names without it: ftpes:." : string.Empty;
        return new TransferConnectionException(busy ? TransferError.Lost : TransferError.Auth,
            busy ? $"{_host} takes no more connections now ({command.Redact(reply.ToString()).TrimEnd('.')}).{hint}"
            : $"{_host} refuses the log-in of {_credential.UserName} ({command.Redact(reply.ToString()).TrimEnd('.')}).{hint}")
        {
            ServerCode = reply.Code,
        };
    }

    private async ValueTask ClearControlAsync(ControlConnection control, CancellationToken ct)
    {
        var reply = await control.ExecuteAsync(new FtpCommand("CCC"), ct).ConfigureAwait(false);
        if (!reply.IsSuccess)
        {
            throw new TransferConnectionException(TransferError.Unsupported,
                $"{_host} refuses CCC: {reply.Code}.")
            { ServerCode = reply.Code };
        }

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
}
