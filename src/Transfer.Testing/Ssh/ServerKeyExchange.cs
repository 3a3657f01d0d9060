using System.Buffers;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Testing.Ssh;

/// <summary>
/// The server's key exchanges (RFC 4253 section 7): the first and all later ones, started by either side. Only the reading task advances
/// an exchange; any task may start one.
/// </summary>
internal sealed class ServerKeyExchange : IDisposable
{
    private static readonly byte[] Extensions = BuildExtensions();

    private readonly SshServerCore _core;
    private readonly PacketReader _reader;
    private readonly PacketWriter _writer;
    private readonly Lock _gate = new();
    private byte[]? _ourInit;
    private byte[]? _theirInit;
    private NegotiatedAlgorithms? _algorithms;
    private PacketCipher? _nextReceiving;
    private bool _skipsGuess;
    private bool _tellsExtensions;
    private byte[]? _sessionId;

    public ServerKeyExchange(SshServerCore core, PacketReader reader, PacketWriter writer)
    {
        _core = core;
        _reader = reader;
        _writer = writer;
    }

    /// <summary>The client's version line, without the line end.</summary>
    public ReadOnlyMemory<byte> ClientVersion { get; set; }

    /// <summary>The session identifier: the first exchange hash (RFC 4253 section 7.2). Empty before the first exchange.</summary>
    public ReadOnlyMemory<byte> SessionId => _sessionId;

    /// <summary>Whether the first exchange has ended in both directions.</summary>
    public bool IsEstablished { get; private set; }

    /// <summary>
    /// Whether the client has sent its KEXINIT and not yet its NEWKEYS: in between, messages of the upper layers are forbidden.
    /// </summary>
    public bool ClientIsExchanging { get; private set; }

    /// <summary>Whether both sides do strict key exchange (OpenSSH PROTOCOL section 1.10).</summary>
    public bool IsStrict { get; private set; }

    /// <summary>Sends the server's KEXINIT, unless an exchange is under way.</summary>
    public void Start()
    {
        lock (_gate)
        {
            if (_ourInit is not null) return;
            _ourInit = _core.Algorithms.ToInit(!IsEstablished).ToPayload();
            _writer.BeginExchange(_ourInit);
        }
    }

    /// <summary>Takes the client's KEXINIT.</summary>
    public void OnInit(ReadOnlySpan<byte> payload)
    {
        if (ClientIsExchanging) throw Unexpected("a second KEXINIT in one key exchange");
        var theirs = KexInit.Parse(payload);
        if (!IsEstablished)
        {
            _tellsExtensions = theirs.Methods.Contains(KexNames.ClientExtensions);
            IsStrict = theirs.Methods.Contains(KexNames.ClientStrict);

            // A packet before KEXINIT: the first half of a Terrapin attack.
            if (IsStrict && _reader.Sequence != 1) throw Unexpected("a packet in front of KEXINIT");
        }

        Start();
        ClientIsExchanging = true;
        _theirInit = payload.ToArray();
        _algorithms = NegotiatedAlgorithms.Negotiate(theirs, _core.Algorithms.ToInit(!IsEstablished));
        _skipsGuess = theirs.GuessFollows && _algorithms.GuessIsWrong;
    }

    /// <summary>
    /// Handles the client's public value; answers with the server's, the host key and its signature, and then with NEWKEYS.
    /// </summary>
    public void OnMethodMessage(ReadOnlySpan<byte> payload)
    {
        if (_skipsGuess)
        {
            _skipsGuess = false;
            return;
        }

        if (_algorithms is null || _theirInit is null || _nextReceiving is not null || payload[0] != MessageNumber.KexClientValue)
            throw Unexpected("a key exchange message");
        using var agreement = ServerAgreement.Create(_algorithms.Method);
        var reader = new SshReader(payload[1..]);
        var clientValue = agreement.ReadValue(ref reader);
        var secret = agreement.Agree(clientValue);
        var hostKey = _core.HostKeys.Find(_algorithms.HostKey);
        var transcript = new KexTranscript(ClientVersion, _core.Version, _theirInit, _ourInit);
        var hash = ExchangeHash.Compute(
            transcript, agreement, hostKey.PublicKey.Blob.Span, clientValue, agreement.PublicValue.Span, secret);
        _sessionId ??= hash;
        _writer.SendNow(Answer(agreement, hostKey, _algorithms.HostKey, hash));

        var derivation = new KeyDerivation(agreement.Hash, secret, hash, _sessionId);
        _nextReceiving = derivation.CreateToServer(_algorithms);
        _writer.EndExchange(derivation.CreateToClient(_algorithms), IsStrict, _tellsExtensions ? Extensions : []);
        _tellsExtensions = false;
        derivation.Erase();
    }

    /// <summary>Handles NEWKEYS: later packets are protected by the new keys.</summary>
    public void OnNewKeys()
    {
        if (_nextReceiving is not { } receiving) throw Unexpected("NEWKEYS");
        _nextReceiving = null;
        _algorithms = null;
        _theirInit = null;
        _reader.ChangeKeys(receiving, IsStrict);
        ClientIsExchanging = false;
        lock (_gate)
        {
            IsEstablished = true;
            _ourInit = null;
        }
    }

    public void Dispose() => _nextReceiving?.Dispose();

    private static byte[] Answer(KeyAgreement agreement, SshPrivateKey hostKey, string algorithm, byte[] hash)
    {
        var answer = new ArrayBufferWriter<byte>(2048);
        answer.WriteByte(MessageNumber.KexServerValue);
        answer.WriteString(hostKey.PublicKey.Blob.Span);
        agreement.WriteValue(answer, agreement.PublicValue.Span);
        answer.WriteString(hostKey.Sign(algorithm, hash));
        return answer.WrittenSpan.ToArray();
    }

    /// <summary>SSH_MSG_EXT_INFO: the signature algorithms that users' keys may have (RFC 8308 section 3.1).</summary>
    private static byte[] BuildExtensions()
    {
        var writer = new ArrayBufferWriter<byte>(256);
        writer.WriteByte(MessageNumber.ExtensionInfo);
        writer.WriteUInt32(1);
        writer.WriteString("server-sig-algs"u8);
        writer.WriteNameList(KeyAlgorithms.KeyTypes.SelectMany(KeyAlgorithms.OfType));
        return writer.WrittenSpan.ToArray();
    }

    private static TransferException Unexpected(string what) =>
        new(TransferError.Protocol, $"The client sent {what}, which has no place there.");
}
