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

    /// <summary>The longest payload that is read from a peer without a proof.</summary>
    public const int MaxUnprovedPayload = 512;

    /// <summary>Writes the header of a message.</summary>
    public static void WriteHeader(Span<byte> to, LinkMessageType type, int length)
    {
        to[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(to[1..], length);
    }

    /// <summary>Takes the first message off a buffer; false: the message is incomplete.</summary>
    /// <param name="buffer">The received bytes; on return the rest behind the message.</param>
    /// <param name="maxPayload">The limit of the payload; a longer one is refused before the bytes arrive.</param>
    /// <param name="type">The message's type, which may be unknown.</param>
    /// <param name="payload">The message's payload, within the buffer.</param>
    /// <exception cref="TransferException">The payload is too long (<see cref="TransferError.Protocol"/>).</exception>
    public static bool TryRead(ref ReadOnlySequence<byte> buffer, int maxPayload, out LinkMessageType type,
        out ReadOnlySequence<byte> payload)
    {
        type = default;
        payload = default;
        if (buffer.Length < HeaderLength) return false;
        Span<byte> header = stackalloc byte[HeaderLength];
        buffer.Slice(0, HeaderLength).CopyTo(header);
        var length = BinaryPrimitives.ReadUInt32BigEndian(header[1..]);
        if (length > maxPayload)
        {
            throw new TransferException(TransferError.Protocol,
                $"The other side sent a message of {length} bytes, and {maxPayload} are the most.");
        }

        if (buffer.Length - HeaderLength < length) return false;
        type = (LinkMessageType)header[0];
        payload = buffer.Slice(HeaderLength, length);
        buffer = buffer.Slice(payload.End);
        return true;
    }
}
