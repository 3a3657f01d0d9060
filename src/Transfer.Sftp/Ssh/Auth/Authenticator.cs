using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Auth;

/// <summary>
/// Logs in with the methods of the settings, in the fewest round trips: the first attempt is the one most likely to succeed and leaves
/// with the service request; "none" is sent only when there is nothing else to try.
/// </summary>
internal sealed class Authenticator
{
    private readonly SshTransport _transport;
    private readonly SshConnectionSettings _settings;
    private readonly AuthExchange _exchange;
    private readonly List<AuthMethod> _untried = [];
    private readonly List<string> _tried = [];
    private AuthMethod? _early;
    private AuthMethod? _sent;
    private bool _passwordIsWrong;
    private bool _partial;

    public Authenticator(SshTransport transport, SshConnectionSettings settings, IProofFollower? follower)
    {
        _transport = transport;
        _settings = settings;
        _exchange = new AuthExchange(transport, settings, follower);
        _untried.AddRange(settings.LogInRules.Order(Methods(), method => method.Name));
    }

    /// <summary>
    /// Whether the log-in took one-time answers: a code, or other answers that the server requested of a person. Such a log-in cannot be
    /// repeated for another connection.
    /// </summary>
    public bool IsOneTime { get; private set; }

    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: every attempt was refused; the message lists the attempts and the server's offer.
    /// </exception>
    public async ValueTask LogInAsync(CancellationToken ct)
    {
        try
        {
            while (true)
            {
                var isGuess = _exchange.Offered is null;
                var method = Next();
                _sent = method;
                var outcome = await TryAsync(method, ct).ConfigureAwait(false);
                Log.LogInTried(_settings.Logger, _settings.Host, method.Name, method.Detail, outcome.ToString());
                IsOneTime |= method is KeyboardMethod { IsOneTime: true } && outcome is AuthOutcome.Success or AuthOutcome.Partial;
                if (outcome == AuthOutcome.Success) return;
                Note(method, outcome, isGuess);
            }
        }
        catch (TransferConnectionException e)
            when ((e.Error == TransferError.Auth || _exchange.HasAnswer && e.Error is TransferError.Lost or TransferError.Protocol)
                && _transport.Failure is null)
        {
            // After enough refusals a server hangs up, with or without a message, in place of the last one.
            if (_sent is { } last) _tried.Add(Describe(last));
            throw new TransferConnectionException(TransferError.Auth, $"{Refused()}{HintAtKeys()} Then: {e.Message}", e)
            {
                ServerCode = e.ServerCode,
            };
        }
    }

    // An answer that nobody can give is the last of several failures: the keys before it failed, too.
    private async ValueTask<AuthOutcome> TryAsync(AuthMethod method, CancellationToken ct)
    {
        try
        {
            return await method.TryAsync(_exchange, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
            when (e is not TransferConnectionException && e.Error == TransferError.Auth && _tried.Exists(name => name != AuthMessages.None))
        {
            throw new TransferException(TransferError.Auth, $"{e.Message} Tried before: {string.Join(", ", _tried)}.", e);
        }
    }

    private AuthMethod Next()
    {
        var next = FindUntried(_exchange.Offered ?? _settings.LogIns.Offered) ?? FindUntried(_exchange.Offered);
        if (next is null && !_exchange.HasAnswer) next = new NoneMethod(_settings.User);
        if (next is KeyboardMethod keyboard) keyboard.PasswordIsWrong = _passwordIsWrong;
        if (next is null) throw new TransferException(TransferError.Auth, Refused());
        _untried.Remove(next);
        return next;
    }

    private IEnumerable<AuthMethod> Methods()
    {
        foreach (var signer in _settings.Signers)
        {
            var asksFirst = _settings.Signers.Count > 1 || signer.NeedsUser;
            yield return new PublicKeyMethod(_settings.User, signer, asksFirst, () => _transport.SessionId,
                () => _transport.SignatureAlgorithms, _settings.LogInRules.SignatureAlgorithms, _settings.TimeProvider);
        }

        if (_settings.Credential is null && _settings.Interaction is null) yield break;

        // A password that must be requested first is better requested with the server's own prompt.
        if (_settings.Credential is null) yield return new KeyboardMethod(_settings);
        yield return new PasswordMethod(_settings);
        if (_settings.Credential is not null) yield return new KeyboardMethod(_settings);
    }

    private AuthMethod? FindUntried(IReadOnlyList<string>? offered) =>
        _untried.Find(method => (offered is null || offered.Contains(method.Name))
        && !(_passwordIsWrong && (method is PasswordMethod || (method is KeyboardMethod && _settings.Interaction is null))));

    private void Note(AuthMethod method, AuthOutcome outcome, bool isGuess)
    {
        // The server may want another method first (AuthenticationMethods in sshd_config): the first attempt was no more than too early,
        // and has its turn behind a method that was right.
        if (isGuess && outcome == AuthOutcome.Failure && !_exchange.Offered!.Contains(method.Name)) _early = method;
        if (outcome == AuthOutcome.Partial && _early is { } early)
        {
            _untried.Insert(0, early);
            _early = null;
        }

        _sent = null;
        _tried.Add(Describe(method));
        _partial |= outcome == AuthOutcome.Partial;
        if (!_partial && _exchange.Offered is { } offered) _settings.LogIns.Offered = offered;

        // A password refused while passwords are still offered is wrong, and would be wrong as an answer, too.
        _passwordIsWrong |= method is PasswordMethod && outcome == AuthOutcome.Failure
            && _exchange.Offered!.Contains(AuthMessages.Password);
        _passwordIsWrong |= method is KeyboardMethod { GaveSecret: true } && outcome == AuthOutcome.Failure;
    }

    private static string Describe(AuthMethod method) => method is NoneMethod ? method.Name : $"{method.Name} ({method.Detail})";

    private string Refused()
    {
        var offered = _exchange.Offered is { Count: > 0 } names ? WireText.Clean(string.Join(", ", names)) : "nothing";
        return $"{_settings.Host} refuses the log-in of {_settings.User}{(_partial ? " although a first method was right" : "")}. "
            + $"Tried: {(_tried.Count > 0 ? string.Join(", ", _tried) : "nothing")}; the server offers "
            + $"{offered}{(_settings.LogInRules.IsRestricted ? "; the configuration restricts the methods" : string.Empty)}."
            + (LacksKey ? " No key was given: --identity (SftpOptions.Identities) names one." : string.Empty);
    }

    private string HintAtKeys() => _tried.Count(name => name.StartsWith(AuthMessages.PublicKey, StringComparison.Ordinal)) < 2
        ? string.Empty
        : " Each key counts as an attempt: --identity (SftpOptions.Identities) tries one first, IdentitiesOnly in ssh_config no others.";

    private bool LacksKey => _settings.Signers.Count == 0 && !_settings.LogInRules.IsRestricted
        && _exchange.Offered is { Count: > 0 } offered && offered.All(method => method == AuthMessages.PublicKey);
}
