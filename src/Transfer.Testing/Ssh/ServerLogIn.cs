using System.Buffers;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing.Connections;
using Transfer.Testing.Faults;

namespace Transfer.Testing.Ssh;

/// <summary>The authentication protocol from the server's side (RFC 4252, RFC 4256).</summary>
internal sealed class ServerLogIn
{
    private const string ServiceName = "ssh-userauth";
    private const string NextService = "ssh-connection";
    private const uint TooManyFailures = 2;

    private readonly SshServerCore _core;
    private readonly ServerTransport _transport;
    private readonly int _connection;
    private SftpTestMethods _passed;
    private string _user = string.Empty;
    private bool _isAsking;
    private int _failures;

    public ServerLogIn(SshServerCore core, ServerTransport transport, int connection)
    {
        _core = core;
        _transport = transport;
        _connection = connection;
    }

    private SftpTestServerOptions Options => _core.Options;

    /// <summary>Serves attempts until one logs in; returns the user's name.</summary>
    /// <exception cref="ConnectionLostException">The client has gone, or failed too often and was sent away.</exception>
    public async ValueTask<string> RunAsync(CancellationToken ct)
    {
        while (true)
        {
            var message = await _transport.ReceiveAsync(ct).ConfigureAwait(false);
            switch (message.Span[0])
            {
                case MessageNumber.ServiceRequest:
                    AcceptService(message.Span);
                    break;
                case MessageNumber.AuthRequest:
                    if (await OnRequestAsync(message, ct).ConfigureAwait(false)) return _user;
                    break;
                case MessageNumber.AuthInfoResponse when _isAsking:
                    if (Finish(SftpTestMethods.KeyboardInteractive, CheckAnswers(message.Span))) return _user;
                    break;
                default:
                    throw new TransferException(TransferError.Protocol, $"The client sent message {message.Span[0]} before the log-in.");
            }
        }
    }

    private void AcceptService(ReadOnlySpan<byte> message)
    {
        var service = new SshReader(message[1..]).ReadText();
        if (service != ServiceName) throw new TransferException(TransferError.Protocol, $"There is no service {WireText.Clean(service)}.");
        var accept = new ArrayBufferWriter<byte>(32);
        accept.WriteByte(MessageNumber.ServiceAccept);
        accept.WriteString(service);
        _transport.Send(accept.WrittenSpan);
        if (Options.Banner is { } banner) SendBanner(banner);
    }

    private void SendBanner(string text)
    {
        var banner = new ArrayBufferWriter<byte>(256);
        banner.WriteByte(MessageNumber.AuthBanner);
        banner.WriteString(text);
        banner.WriteString(""u8);
        _transport.Send(banner.WrittenSpan);
    }

    /// <summary>True: the user is logged in.</summary>
    private async ValueTask<bool> OnRequestAsync(ReadOnlyMemory<byte> message, CancellationToken ct)
    {
        _isAsking = false;
        var (user, method) = ReadHead(message.Span);

        // Methods passed for one user do not count for another (RFC 4252 section 5).
        if (user != _user) _passed = SftpTestMethods.None;
        _user = user;
        _core.Log.Add(new TestCommand(_connection, _transport.Reads, SftpFaults.LogIn, $"{method} {user}"));
        await _core.HoldAsync(SftpFaults.LogIn, method, ct).ConfigureAwait(false);
        switch (_core.Rules.Take(FaultStage.Command, SftpFaults.LogIn, method)?.Action)
        {
            case StatusFault:
                return Finish(MethodOf(method), LogInAttempt.Refused);
            case DropFault drop:
                await _transport.DropAsync(drop.Reset).ConfigureAwait(false);
                throw new ConnectionLostException();
        }

        return Finish(MethodOf(method), Try(MethodOf(method), message.Span));
    }

    private static (string User, string Method) ReadHead(ReadOnlySpan<byte> message)
    {
        var reader = new SshReader(message[1..]);
        var user = reader.ReadText();
        var service = reader.ReadText();
        if (service != NextService) throw new TransferException(TransferError.Protocol, $"There is no service {WireText.Clean(service)}.");
        return (user, reader.ReadText());
    }

    private LogInAttempt Try(SftpTestMethods method, ReadOnlySpan<byte> message)
    {
        if (method == SftpTestMethods.None || !Options.Methods.HasFlag(method)) return LogInAttempt.Refused;
        var reader = new SshReader(message[1..]);
        for (var field = 0; field < 3; field++) reader.ReadString(); // user, service, method
        return method switch
        {
            SftpTestMethods.Password => CheckPassword(ref reader),
            SftpTestMethods.PublicKey => CheckKey(ref reader, message),
            _ => Ask(),
        };
    }

    private LogInAttempt CheckPassword(ref SshReader reader)
    {
        var changes = reader.ReadBoolean();
        return !changes && IsPassword(reader.ReadText()) ? LogInAttempt.Accepted : LogInAttempt.Refused;
    }

    private bool IsPassword(string password) =>
        Options.Users.TryGetValue(_user, out var expected) && (expected.Length == 0 || expected == password);

    /// <summary>Checks a key (RFC 4252 section 7); without a signature the request only queries whether the key is accepted.</summary>
    private LogInAttempt CheckKey(ref SshReader reader, ReadOnlySpan<byte> message)
    {
        var isSigned = reader.ReadBoolean();
        var algorithm = reader.ReadText();
        var blob = reader.ReadString();
        if (!Options.Users.ContainsKey(_user) || _core.AuthorizedKeys.Find(blob) is not { } key) return LogInAttempt.Refused;
        if (!key.SignatureAlgorithms.Contains(algorithm)) return LogInAttempt.Refused;
        if (!isSigned)
        {
            SendKeyAccepted(algorithm, blob);
            return LogInAttempt.Pending;
        }

        var request = message[..^reader.Rest.Length];
        return key.Verify(algorithm, SignedData(request), reader.ReadString()) ? LogInAttempt.Accepted : LogInAttempt.Refused;
    }

    private ReadOnlySpan<byte> SignedData(ReadOnlySpan<byte> request)
    {
        var signed = new ArrayBufferWriter<byte>(256 + request.Length);
        signed.WriteString(_transport.SessionId.Span);
        signed.Write(request);
        return signed.WrittenSpan;
    }

    private void SendKeyAccepted(string algorithm, ReadOnlySpan<byte> blob)
    {
        var accepted = new ArrayBufferWriter<byte>(64 + blob.Length);
        accepted.WriteByte(MessageNumber.AuthMethodReply);
        accepted.WriteString(algorithm);
        accepted.WriteString(blob);
        _transport.Send(accepted.WrittenSpan);
    }

    /// <summary>SSH_MSG_USERAUTH_INFO_REQUEST (RFC 4256 section 3.2).</summary>
    private LogInAttempt Ask()
    {
        var request = new ArrayBufferWriter<byte>(256);
        request.WriteByte(MessageNumber.AuthMethodReply);
        request.WriteString(""u8); // name
        request.WriteString(""u8); // instruction
        request.WriteString(""u8); // language
        request.WriteUInt32((uint)Options.Questions.Count);
        foreach (var question in Options.Questions)
        {
            request.WriteString(question.Text);
            request.WriteBoolean(question.Echo);
        }

        _transport.Send(request.WrittenSpan);
        _isAsking = true;
        return LogInAttempt.Pending;
    }

    private LogInAttempt CheckAnswers(ReadOnlySpan<byte> message)
    {
        _isAsking = false;
        var reader = new SshReader(message[1..]);
        var count = reader.ReadUInt32();
        if (count != Options.Questions.Count || !Options.Users.ContainsKey(_user)) return LogInAttempt.Refused;
        foreach (var question in Options.Questions)
        {
            var answer = reader.ReadText();
            if (question.Answer is null ? !IsPassword(answer) : answer != question.Answer) return LogInAttempt.Refused;
        }

        return LogInAttempt.Accepted;
    }

    /// <summary>Answers an attempt; true: the user is logged in.</summary>
    private bool Finish(SftpTestMethods method, LogInAttempt outcome)
    {
        if (outcome == LogInAttempt.Pending) return false;
        if (outcome == LogInAttempt.Accepted)
        {
            _passed |= method;
            if (Options.RequireEveryMethod && _passed != Options.Methods)
            {
                SendFailure(isPartial: true);
                return false;
            }

            _transport.Send([MessageNumber.AuthSuccess]);
            return true;
        }

        // "none" is only a query for the methods.
        if (method != SftpTestMethods.None && ++_failures >= Options.MaxLogInAttempts)
        {
            _transport.Disconnect(TooManyFailures, "Too many authentication failures");
            throw new ConnectionLostException();
        }

        SendFailure(isPartial: false);
        return false;
    }

    private void SendFailure(bool isPartial)
    {
        var failure = new ArrayBufferWriter<byte>(64);
        failure.WriteByte(MessageNumber.AuthFailure);
        failure.WriteNameList(Names(Options.Methods & ~_passed));
        failure.WriteBoolean(isPartial);
        _transport.Send(failure.WrittenSpan);
    }

    private static SftpTestMethods MethodOf(string name) => name switch
    {
        "password" => SftpTestMethods.Password,
        "publickey" => SftpTestMethods.PublicKey,
        "keyboard-interactive" => SftpTestMethods.KeyboardInteractive,
        _ => SftpTestMethods.None,
    };

    private static IEnumerable<string> Names(SftpTestMethods methods)
    {
        if (methods.HasFlag(SftpTestMethods.PublicKey)) yield return "publickey";
        if (methods.HasFlag(SftpTestMethods.KeyboardInteractive)) yield return "keyboard-interactive";
        if (methods.HasFlag(SftpTestMethods.Password)) yield return "password";
    }
}
