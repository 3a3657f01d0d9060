using System.Buffers;
using System.Buffers.Binary;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>How messages lie in the stream: one byte of type, four of length (most significant first), the payload.</summary>
internal static class LinkFrame
{
    public const int HeaderLength = 5;

    /// <summary>Longest payload.</summary>
    public const int MaxPayload = 256 * 1024;

    /// <summary>Longest payload that is read of somebody who has proved nothing yet.</summary>
    public const int MaxUnprovedPayload = 512;

    /// <summary>Writes the header of a message.</summary>
    public static void WriteHeader(Span<byte> to, LinkMessageType type, int length)
    {
        to[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(to[1..], length);
    }

    /// <summary>Takes the first message off a buffer; false: it is not whole yet.</summary>
    /// <param name="buffer">What has come; on return what is behind the message.</param>
    /// <param name="maxPayload">A longer one is refused before it has come.</param>
    /// <param name="type">Its type, which may be none that is known.</param>
    /// <param name="payload">Its payload, within the buffer.</param>
    /// <exception cref="TransferException">It is too long (<see cref="TransferError.Protocol"/>).</exception>
    public static bool TryRead(ref ReadOnlySequence<byte> buffer, int maxPayload, out LinkMessageType type, out ReadOnlySequence<byte> payload)
    {
        type = default;
        payload = default;
        if (buffer.Length < HeaderLength) return false;
        Span<byte> header = stackalloc byte[HeaderLength];
        buffer.Slice(0, HeaderLength).CopyTo(header);
        var length = BinaryPrimitives.ReadUInt32BigEndian(header[1..]);
        if (length > maxPayload) throw new TransferException(TransferError.Protocol, $"The other side sent a message of {length} bytes, and {maxPayload} are the most.");
        if (buffer.Length - HeaderLength < length) return false;
        type = (LinkMessageType)header[0];
        payload = buffer.Slice(HeaderLength, length);
        buffer = buffer.Slice(payload.End);
        return true;
    }
}
