using System.Diagnostics.CodeAnalysis;

namespace Transfer.Testing.Tls;

/// <summary>
/// Parses the clear part of one direction of a TLS handshake into messages (RFC 8446 5.1, RFC 5246 6.2.1), in pieces of any length.
/// </summary>
internal sealed class HandshakeMessages
{
    /// <summary>Stands for a record that is no handshake, such as ChangeCipherSpec. No message has this type.</summary>
    public const byte OtherRecord = 255;

    private const byte HandshakeRecord = 22;
    private const int RecordHeader = 5;
    private const int MessageHeader = 4;
    private const int MaxPending = 256 * 1024;

    private readonly List<byte> _records = [];
    private readonly List<byte> _messages = [];

    /// <summary>Whether the parsing has ended: by <see cref="End"/>, or because no handshake needs so many bytes.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Ends the parsing: later bytes are encrypted or of no interest.</summary>
    public void End() => HasEnded = true;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (!HasEnded) _records.AddRange(bytes);
    }

    /// <summary>Returns the next whole message: its type and body.</summary>
    public bool TryNext(out byte type, [NotNullWhen(true)] out byte[]? body)
    {
        while (!TryTakeMessage(out type, out body))
        {
            if (HasEnded || _records.Count < RecordHeader) return false;
            var length = (_records[3] << 8) | _records[4];
            if (_records.Count < RecordHeader + length) return false;
            var isHandshake = _records[0] == HandshakeRecord;
            if (isHandshake) _messages.AddRange(_records.GetRange(RecordHeader, length));
            _records.RemoveRange(0, RecordHeader + length);
            if (_messages.Count > MaxPending) End();
            if (isHandshake) continue;
            (type, body) = (OtherRecord, []);
            return true;
        }

        return true;
    }

    private bool TryTakeMessage(out byte type, [NotNullWhen(true)] out byte[]? body)
    {
        (type, body) = (0, null);
        if (_messages.Count < MessageHeader) return false;
        var length = (_messages[1] << 16) | (_messages[2] << 8) | _messages[3];
        if (_messages.Count < MessageHeader + length) return false;
        type = _messages[0];
        body = [.. _messages.GetRange(MessageHeader, length)];
        _messages.RemoveRange(0, MessageHeader + length);
        return true;
    }
}
