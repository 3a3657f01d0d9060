using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>
/// The client's key exchanges (RFC 4253 section 7): the first and all later ones, started by either side. Only the reading task advances
/// an exchange; any task may start one.
/// </summary>
internal sealed class KeyExchange : IDisposable
{
    private readonly SshConnectionSettings _settings;
    private readonly PacketReader _reader;
    private readonly PacketWriter _writer;
    private readonly Lock _gate = new();
    private readonly string[] _hostKeys;
    private readonly (string Name, int Port) _knownAs;

    private byte[]? _ourInit;
    private ExchangeUnderWay? _current;
    private bool _serverTakesExtensions;
    private byte[]? _sessionId;
    private byte[] _trustedKey = [];

    public KeyExchange(SshConnectionSettings settings, PacketReader reader, PacketWriter writer)
    {
        _settings = settings;
        _reader = reader;
        _writer = writer;
        // As with OpenSSH, an alias stands for the host and port.
        _knownAs = settings.HostKeyAlias is { } alias ? (alias, 22) : (settings.Host, settings.Port);
        _hostKeys = HostKeyAlgorithm.Order(settings.Algorithms.HostKeys, settings.Trust.KnownTypes(_knownAs.Name, _knownAs.Port));
    }

    public ReadOnlyMemory<byte> ServerVersion { get; set; }

    /// <summary>The session identifier: the first exchange hash (RFC 4253 section 7.2). Empty before the first exchange.</summary>
    public ReadOnlyMemory<byte> SessionId => _sessionId;

    /// <summary>Whether the first exchange has ended in both directions.</summary>
    public bool Established { get; private set; }

    /// <summary>
    /// Whether the server has sent its KEXINIT and not yet its NEWKEYS: in between, messages of the upper layers are forbidden, though some
    /// servers send them.
    /// </summary>
    public bool ServerIsExchanging { get; private set; }

    /// <summary>
    /// Whether both sides do strict key exchange: a packet foreign to the exchange ends the connection, and sequence numbers start again
    /// with every key.
    /// </summary>
    public bool Strict { get; private set; }

    /// <summary>The time from the client's public value to the server's, in the first exchange.</summary>
    public TimeSpan? RoundTrip { get; private set; }

    /// <summary>When the last exchange ended, as a timestamp.</summary>
    public long LastEnded { get; private set; }

    /// <summary>Sends the client's KEXINIT, unless an exchange is under way.</summary>
    public void Start()
    {
        lock (_gate)
        {
            if (_ourInit is not null) return;
            _ourInit = OurInit().ToPayload();
            _writer.BeginExchange(_ourInit);
        }
    }

    /// <summary>Handles the server's KEXINIT and answers with the client's public value.</summary>
    public void OnInit(ReadOnlySpan<byte> payload)
    {
        if (ServerIsExchanging) throw Unexpected("a second KEXINIT in one key exchange");
        var theirs = KexInit.Parse(payload);
        if (!Established)
        {
            _serverTakesExtensions = theirs.Methods.Contains(KexNames.ServerExtensions);
            Strict = theirs.Methods.Contains(KexNames.ServerStrict);

            // A packet before KEXINIT: the first half of a Terrapin attack.
            if (Strict && _reader.Sequence != 1) throw Unexpected("a packet in front of KEXINIT");
        }

        Start();
        ServerIsExchanging = true;
        var algorithms = NegotiatedAlgorithms.Negotiate(OurInit(), theirs);
        var current = _current = new ExchangeUnderWay(payload.ToArray(),
            algorithms)
        { SkipsGuess = theirs.GuessFollows && algorithms.GuessIsWrong };
        var agreement = current.Agreement!;
        var writer = new ArrayBufferWriter<byte>(1024);
        writer.WriteByte(MessageNumber.KexClientValue);
        agreement.WriteValue(writer, agreement.PublicValue.Span);
        current.Started = _settings.TimeProvider.GetTimestamp();
        _writer.SendNow(writer.WrittenSpan);
    }

    /// <summary>Handles a message of the method: the server's public value, host key and proof.</summary>
    public async ValueTask OnMethodMessageAsync(ReadOnlyMemory<byte> payload, CancellationToken ct)
    {
        if (_current is { SkipsGuess: true } guessed)
        {
            guessed.SkipsGuess = false;
            return;
        }

        if (_current is not { Agreement: { } agreement, Algorithms: var algorithms } current
            || payload.Span[0] != MessageNumber.KexServerValue)
        {
            throw Unexpected("a key exchange message");
        }

        RoundTrip ??= _settings.TimeProvider.GetElapsedTime(current.Started);

        var (keyBlob, exchangeHash, derivation) = Agree(payload.Span, agreement, current);
        if (!keyBlob.AsSpan().SequenceEqual(_trustedKey))
        {
            var key = SshPublicKeys.Parse(keyBlob);
            using var asking = _settings.Clock?.Pause();
            await _settings.Trust.VerifyAsync(_knownAs.Name, _knownAs.Port, key, ct).ConfigureAwait(false);
            _trustedKey = keyBlob;
        }

        _sessionId ??= exchangeHash;
        current.Agreed(derivation.CreateToClient(algorithms));
        var extensions = _serverTakesExtensions ? ExtensionInfo.Ours : [];
        _serverTakesExtensions = false;
        _writer.EndExchange(derivation.CreateToServer(algorithms), Strict, extensions);
        derivation.Erase();
    }

    /// <summary>Handles NEWKEYS: later packets are protected by the new keys.</summary>
    public void OnNewKeys()
    {
        if (_current?.TakeReceiving() is not { } receiving) throw Unexpected("NEWKEYS");
        var algorithms = _current.Algorithms;
        _reader.ChangeKeys(receiving, Strict);
        ServerIsExchanging = false;
        LastEnded = _settings.TimeProvider.GetTimestamp();
        Methods = algorithms.Describe(Strict);
        Log.KeysExchanged(_settings.Logger, _settings.Host, algorithms.Method, algorithms.HostKey, algorithms.CipherToServer,
            algorithms.MacToServer ?? "the cipher's own", Strict, !Established);
        if (!Strict && !Established
            && algorithms is { CipherToServer: CipherAlgorithm.ChaChaPoly } or { CipherToClient: CipherAlgorithm.ChaChaPoly })
        {
            Log.NotStrict(_settings.Logger, _settings.Host, CipherAlgorithm.ChaChaPoly);
        }

        lock (_gate)
        {
            Established = true;
            _ourInit = null;
        }
    }

    /// <summary>The methods of the last key exchange; empty before the first.</summary>
    public IReadOnlyList<ServerFact> Methods { get; private set; } = [];

    public void Dispose() => _current?.Dispose();

    private (byte[] KeyBlob, byte[] ExchangeHash,
        KeyDerivation Derivation) Agree(ReadOnlySpan<byte> payload, KeyAgreement agreement, ExchangeUnderWay current)
    {
        var algorithms = current.Algorithms;
        var reader = new SshReader(payload[1..]);
        var keyBlob = reader.ReadString().ToArray();
        var serverValue = agreement.ReadValue(ref reader);
        var signature = reader.ReadString();
        var key = SshPublicKeys.Parse(keyBlob);
        if (key.Type != HostKeyAlgorithm.Get(algorithms.HostKey).KeyType) throw Unexpected($"a host key that is no {algorithms.HostKey}");

        var transcript = new KexTranscript(VersionLine.Ours, ServerVersion, _ourInit, current.TheirInit);
        var secret = agreement.Agree(serverValue);
        var hash = ExchangeHash.Compute(transcript, agreement, keyBlob, agreement.PublicValue.Span, serverValue, secret);
        if (!key.Verify(KeyAlgorithms.Plain(algorithms.HostKey), hash, signature))
        {
            CryptographicOperations.ZeroMemory(secret);
            throw new TransferException(TransferError.HostKey,
                $"{_settings.Host} does not hold the host key that it shows: its signature is wrong.");
        }

        return (keyBlob, hash, new KeyDerivation(agreement.Hash, secret, hash, _sessionId ?? hash));
    }

    private KexInit OurInit()
    {
        var wanted = _settings.Algorithms;
        return new KexInit
        {
            // Extensions and strictness are settled by the first exchange and not offered again.
            Methods = Established ? wanted.KeyExchanges : [.. wanted.KeyExchanges, KexNames.ClientExtensions, KexNames.ClientStrict],
            HostKeys = _hostKeys,
            CiphersToServer = wanted.Ciphers,
            CiphersToClient = wanted.Ciphers,
            MacsToServer = wanted.Macs,
            MacsToClient = wanted.Macs,
        };
    }

    private static TransferException Unexpected(string what) =>
        new(TransferError.Protocol, $"The server sent {what}, which has no place there.");
}
