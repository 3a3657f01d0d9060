using System.Buffers;
using Transfer.Sftp;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Network;
using Transfer.Testing.Ssh;

namespace Transfer.TestSupport.Ssh;

/// <summary>
/// The server's side of one connection, a step at a time, built from the client's own packet code; its switches make it hostile.
/// </summary>
internal sealed class ScriptedServer : IDisposable
{
    private static readonly Ed25519PrivateKey HostKey = new([.. Enumerable.Range(1, 32).Select(i => (byte)i)]);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly Stream _link;
    private readonly PacketReader _reader;
    private readonly SendBuffer _sending = new();
    private byte[]? _sessionId;
    private byte[] _ourInit = [];
    private bool _strictNow;

    public ScriptedServer()
    {
        (var client, _link) = MemoryLink.Create();
        Client = new StallingStream(client);
        _reader = new PacketReader(_link);
    }

    /// <summary>The server's side of a connection that is there already.</summary>
    public ScriptedServer(Stream connection)
    {
        _link = connection;
        Client = new StallingStream(Stream.Null);
        _reader = new PacketReader(connection);
    }

    /// <summary>The client's end.</summary>
    public StallingStream Client { get; }

    public string Version { get; set; } = "SSH-2.0-Scripted";

    public SshAlgorithms Algorithms { get; set; } = new() { KeyExchanges = ["ecdh-sha2-nistp256"], HostKeys = ["ssh-ed25519"] };

    public bool Strict { get; set; } = true;

    public bool Extends { get; set; }

    public bool GuessesWrong { get; set; }

    /// <summary>Strict was agreed, and yet sequence numbers run on.</summary>
    public bool ForgetsToReset { get; set; }

    public byte[]? PublicValue { get; set; }

    public byte[]? HostKeyBlob { get; set; }

    public bool SignsWrong { get; set; }

    /// <summary>Runs when the client's new keys are in use, and keeps our NEWKEYS back until it ends.</summary>
    public Func<Task>? BeforeNewKeys { get; set; }

    /// <summary>Sent between our KEXINIT and the answer.</summary>
    public byte[]? InsideExchange { get; set; }

    public KexInit? TheirInit { get; private set; }

    public static byte[] PublicKeyBlob => Message(w =>
    {
        w.WriteString("ssh-ed25519");
        w.WriteString(HostKey.PublicKey);
    });

    /// <summary>The service for the log-in is there.</summary>
    public static byte[] Accept => Message(MessageNumber.ServiceAccept, w => w.WriteString("ssh-userauth"));

    /// <summary>An attempt is refused, or was right and is not all; with what can go on.</summary>
    public static byte[] Failure(string methods, bool partial = false) => Message(MessageNumber.AuthFailure, w =>
    {
        w.WriteString(methods);
        w.WriteBoolean(partial);
    });

    public static byte[] Message(Action<IBufferWriter<byte>> write)
    {
        var writer = new ArrayBufferWriter<byte>();
        write(writer);
        return writer.WrittenSpan.ToArray();
    }

    public static byte[] Message(byte number, Action<IBufferWriter<byte>>? write = null) => Message(w =>
    {
        w.WriteByte(number);
        write?.Invoke(w);
    });

    public static byte[] Data(uint channel, byte[] data) => Message(MessageNumber.ChannelData, w =>
    {
        w.WriteUInt32(channel);
        w.WriteString(data);
    });

    /// <summary>A packet of a message's number and little else, as it is before the first keys.</summary>
    public static byte[] InTheClear(byte number)
    {
        using var buffer = new SendBuffer();
        buffer.AddPacket([number, 0, 0, 0, 0], []);
        return buffer.Take().ToArray();
    }

    public Task SendRawAsync(byte[] bytes) => _link.WriteAsync(bytes).AsTask();

    /// <summary>Seals messages and sends them in one write.</summary>
    public Task SendAsync(params byte[][] payloads) => SendAlteredAsync(static _ => { }, payloads);

    /// <summary>The same; <paramref name="alter"/> changes what goes over the wire.</summary>
    public Task SendAlteredAsync(Action<byte[]> alter, params byte[][] payloads)
    {
        foreach (var payload in payloads) _sending.AddPacket(payload, []);
        var bytes = _sending.Take().ToArray();
        alter(bytes);
        return SendRawAsync(bytes);
    }

    public async Task<byte[]> ReceiveAsync()
    {
        ReadOnlyMemory<byte> payload;
        while (!_reader.TryRead(out payload))
        {
            if (!await _reader.FillAsync(CancellationToken.None).AsTask().WaitAsync(Patience))
                throw new EndOfStreamException("The client is gone.");
        }

        return payload.ToArray();
    }

    /// <summary>The next message, which must be of that number.</summary>
    public async Task<byte[]> ReceiveAsync(byte number)
    {
        var payload = await ReceiveAsync();
        return payload[0] == number ? payload : throw new InvalidDataException($"The client sent message {payload[0]}, not {number}.");
    }

    public async Task<string> ExchangeVersionsAsync(string preamble = "")
    {
        await SendRawAsync(System.Text.Encoding.UTF8.GetBytes(preamble + Version + "\r\n"));
        int end;
        while ((end = _reader.Unread.IndexOf((byte)'\n')) < 0) await _reader.FillAsync(CancellationToken.None);
        var line = System.Text.Encoding.ASCII.GetString(_reader.Unread[..end]);
        _reader.Skip(end + 1);
        return line.TrimEnd('\r');
    }

    /// <summary>What the client says by itself, before a word of ours.</summary>
    public async Task ReceiveVersionAndInitAsync()
    {
        int end;
        while ((end = _reader.Unread.IndexOf((byte)'\n')) < 0) await _reader.FillAsync(CancellationToken.None).AsTask().WaitAsync(Patience);
        _reader.Skip(end + 1);
        await ReceiveAsync(MessageNumber.KexInit);
    }

    public async Task SendKexInitAsync()
    {
        _ourInit = new KexInit
        {
            Methods = [.. GuessesWrong ? ["sntrup761x25519-sha512"] : Array.Empty<string>(), .. Algorithms.KeyExchanges,
                .. Strict ? [KexNames.ServerStrict] : Array.Empty<string>(),
                .. Extends ? [KexNames.ServerExtensions] : Array.Empty<string>()],
            HostKeys = Algorithms.HostKeys,
            CiphersToServer = Algorithms.Ciphers,
            CiphersToClient = Algorithms.Ciphers,
            MacsToServer = Algorithms.Macs,
            MacsToClient = Algorithms.Macs,
            GuessFollows = GuessesWrong,
        }.ToPayload();
        await SendAsync(_ourInit);
        if (GuessesWrong) await SendAsync(Message(MessageNumber.KexClientValue, w => w.WriteString("a guess"u8)));
    }

    /// <summary>A whole key exchange; with <paramref name="theirInit"/> the client's KEXINIT was read before.</summary>
    public async Task ExchangeKeysAsync(byte[]? theirInit = null, bool sendInit = true)
    {
        if (sendInit) await SendKexInitAsync();
        theirInit ??= await ReceiveAsync(MessageNumber.KexInit);
        TheirInit = KexInit.Parse(theirInit);
        var algorithms = NegotiatedAlgorithms.Negotiate(TheirInit, KexInit.Parse(_ourInit));
        if (_sessionId is null) _strictNow = Strict && TheirInit.Methods.Contains(KexNames.ClientStrict);
        if (InsideExchange is not null) await SendAsync(InsideExchange);

        using var agreement = ServerAgreement.Create(algorithms.Method);
        var clientValue = ReadValue(await ReceiveAsync(MessageNumber.KexClientValue), agreement);
        var hostKey = HostKeyBlob ?? PublicKeyBlob;
        var secret = agreement.Agree(clientValue);
        var serverValue = PublicValue ?? agreement.PublicValue.ToArray();
        var hash =
            ExchangeHash.Compute(new KexTranscript(VersionLine.Ours, System.Text.Encoding.ASCII.GetBytes(Version), theirInit, _ourInit),
            agreement, hostKey, clientValue, serverValue, secret);
        _sessionId ??= hash;
        var signature = HostKey.Sign(SignsWrong ? [1, 2, 3] : hash);
        var derivation = new KeyDerivation(agreement.Hash, secret, hash, _sessionId);
        var answer = Message(MessageNumber.KexServerValue, w =>
        {
            w.WriteString(hostKey);
            agreement.WriteValue(w, serverValue);
            w.WriteString(SignatureBlob.Write("ssh-ed25519", signature));
        });
        if (BeforeNewKeys is null) await SendAsync(answer, [MessageNumber.NewKeys]);
        else await SendAsync(answer);
        if (BeforeNewKeys is null) _sending.ChangeKeys(derivation.CreateToClient(algorithms), _strictNow && !ForgetsToReset);
        await ReceiveAsync(MessageNumber.NewKeys);
        _reader.ChangeKeys(derivation.CreateToServer(algorithms), _strictNow);
        if (BeforeNewKeys is null) return;
        await BeforeNewKeys();
        await SendAsync([MessageNumber.NewKeys]);
        _sending.ChangeKeys(derivation.CreateToClient(algorithms), _strictNow && !ForgetsToReset);
    }

    /// <summary>Everything up to the first request of the log-in, which is returned; the service is accepted.</summary>
    public async Task<byte[]> StartLogInAsync()
    {
        await ExchangeVersionsAsync();
        await ExchangeKeysAsync();
        await ReceiveAsync(MessageNumber.ServiceRequest);
        var request = await ReceiveAsync(MessageNumber.AuthRequest);
        await SendAsync(Accept);
        return request;
    }

    public async Task LogInAsync()
    {
        await StartLogInAsync();
        await SendAsync([MessageNumber.AuthSuccess]);
    }

    /// <summary>Confirms the channel that the client opens, under the number 70 + its own, and returns its own.</summary>
    public async Task<uint> ConfirmChannelAsync(uint window = 1 << 20, uint packet = 32768)
    {
        var id = OpenedChannel(await ReceiveAsync(MessageNumber.ChannelOpen));
        await SendAsync(Confirmation(id, window, packet));
        return id;
    }

    /// <summary>The channel's number in an open request.</summary>
    public static uint OpenedChannel(byte[] open)
    {
        var reader = new SshReader(open.AsSpan(1));
        reader.ReadString();
        return reader.ReadUInt32();
    }

    public static byte[] Confirmation(uint id, uint window, uint packet) => Message(MessageNumber.ChannelOpenConfirmation, w =>
    {
        w.WriteUInt32(id);
        w.WriteUInt32(70 + id);
        w.WriteUInt32(window);
        w.WriteUInt32(packet);
    });

    /// <summary>A message of only a channel's number and what follows.</summary>
    public static byte[] OnChannel(byte number, uint id, Action<IBufferWriter<byte>>? more = null) => Message(number, w =>
    {
        w.WriteUInt32(id);
        more?.Invoke(w);
    });

    public void End() => ((MemoryLink)_link).End();

    public void Reset() => ((MemoryLink)_link).Reset();

    public void Dispose()
    {
        _link.Dispose();
        _reader.Dispose();
        _sending.Dispose();
    }

    private static byte[] ReadValue(byte[] message, KeyAgreement agreement)
    {
        var reader = new SshReader(message.AsSpan(1));
        return agreement.ReadValue(ref reader).ToArray();
    }
}
