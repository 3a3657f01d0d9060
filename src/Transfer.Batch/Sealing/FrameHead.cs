using System.Buffers.Binary;

namespace Transfer.Batch.Sealing;

/// <summary>The head of a frame (docs/internals/batch-format.md, "Frames").</summary>
/// <param name="IsLast">No other frame follows.</param>
/// <param name="Coding">How the body holds the payload.</param>
/// <param name="BodyLength">The bytes of the body, without the tag.</param>
/// <param name="PayloadLength">The bytes of the payload.</param>
internal readonly record struct FrameHead(bool IsLast, FrameCoding Coding, int BodyLength, int PayloadLength)
{
    public const int Length = 8;

    private const uint LastFlag = 0x8000_0000;
    private const int CodingShift = 24;
    private const int LengthMask = 0xFF_FFFF;

    public void Write(Span<byte> bytes)
    {
        BinaryPrimitives.WriteUInt32BigEndian(bytes, (IsLast ? LastFlag : 0) | (uint)Coding << CodingShift | (uint)BodyLength);
        BinaryPrimitives.WriteInt32BigEndian(bytes[sizeof(int)..], PayloadLength);
    }

    /// <param name="bytes">The head.</param>
    /// <param name="mostPayload">The longest payload that the archive's header allows.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the head is malformed.</exception>
    public static FrameHead Parse(ReadOnlySpan<byte> bytes, int mostPayload)
    {
        var first = BinaryPrimitives.ReadUInt32BigEndian(bytes);
        var head = new FrameHead(
            (first & LastFlag) != 0, (FrameCoding)((first & ~LastFlag) >> CodingShift), (int)(first & LengthMask),
            BinaryPrimitives.ReadInt32BigEndian(bytes[sizeof(int)..]));
        var fits = head.PayloadLength >= 0 && head.PayloadLength <= mostPayload && (head.PayloadLength > 0 || head.IsLast);
        return fits && head.Coding switch
        {
            FrameCoding.Stored => head.BodyLength == head.PayloadLength,
            FrameCoding.Split => head.BodyLength < head.PayloadLength,
            _ => false,
        }
            ? head
            : throw new TransferException(TransferError.Protocol, "A frame of the archive is malformed.");
    }
}
