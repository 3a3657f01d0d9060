using System.Buffers.Binary;

namespace Transfer.Testing.Tls;

/// <summary>
/// Reads the clear part of a TLS server's first flight. A resumed handshake shows in TLS 1.3 by pre_shared_key in the ServerHello
/// (RFC 8446 4.2.11), in TLS 1.2 by the lack of a Certificate message after it (RFC 5246 7.3, RFC 5077 3.1).
/// </summary>
internal sealed class ResumptionWatcher
{
    private const byte HandshakeRecord = 22;
    private const byte ServerHello = 2;
    private const byte NewSessionTicket = 4;
    private const byte Certificate = 11;
    private const int RecordHeader = 5;
    private const int MessageHeader = 4;
    private const int PreSharedKey = 41;
    private const int SupportedVersions = 43;
    private const int MaxWatched = 64 * 1024;

    /// <summary>The random of a HelloRetryRequest (RFC 8446 4.1.3), after which the true ServerHello is still to come.</summary>
    private static readonly byte[] RetryRandom = Convert.FromHexString("CF21AD74E59A6111BE1D8C021E65B891C2A211167ABB8C5E079E09E2C8A8339C");

    private readonly List<byte> _records = [];
    private readonly List<byte> _messages = [];
    private bool _sawHello;

    /// <summary>Null until it is known.</summary>
    public bool? IsResumed { get; private set; }

    /// <summary>Takes bytes the server has sent, cut anywhere.</summary>
    public void Sent(ReadOnlySpan<byte> bytes)
    {
        if (IsResumed is not null) return;
        _records.AddRange(bytes);
        if (_records.Count > MaxWatched) IsResumed = false;
        while (IsResumed is null && _records.Count >= RecordHeader)
        {
            var length = (_records[3] << 8) | _records[4];
            if (_records.Count < RecordHeader + length) return;
            var type = _records[0];
            var body = _records.GetRange(RecordHeader, length);
            _records.RemoveRange(0, RecordHeader + length);
            if (type == HandshakeRecord)
            {
                _messages.AddRange(body);
                ReadMessages();
            }
            else if (_sawHello)
            {
                // ChangeCipherSpec right after a TLS 1.2 ServerHello: the session goes on without a Certificate.
                IsResumed = true;
            }
        }
    }

    private void ReadMessages()
    {
        while (IsResumed is null && _messages.Count >= MessageHeader)
        {
            var length = (_messages[1] << 16) | (_messages[2] << 8) | _messages[3];
            if (_messages.Count < MessageHeader + length) return;
            var type = _messages[0];
            var body = _messages.GetRange(MessageHeader, length).ToArray();
            _messages.RemoveRange(0, MessageHeader + length);
            if (type == ServerHello) IsResumed = ReadHello(body);
            else if (_sawHello) IsResumed = type == NewSessionTicket ? true : type == Certificate ? false : null;
        }
    }

    /// <summary>The verdict of a ServerHello, or null when what follows decides.</summary>
    private bool? ReadHello(ReadOnlySpan<byte> hello)
    {
        const int RandomAt = 2, RandomLength = 32;
        if (hello.Length < RandomAt + RandomLength + 1) return false;
        if (hello.Slice(RandomAt, RandomLength).SequenceEqual(RetryRandom)) return null;
        var at = RandomAt + RandomLength;
        at += 1 + hello[at] + 2 + 1;
        var (isTls13, hasPreSharedKey) = (false, false);
        at += 2;
        while (at + 4 <= hello.Length)
        {
            var type = BinaryPrimitives.ReadUInt16BigEndian(hello[at..]);
            var length = BinaryPrimitives.ReadUInt16BigEndian(hello[(at + 2)..]);
            if (type == SupportedVersions) isTls13 = true;
            if (type == PreSharedKey) hasPreSharedKey = true;
            at += 4 + length;
        }

        if (isTls13) return hasPreSharedKey;
        _sawHello = true;
        return null;
    }
}
