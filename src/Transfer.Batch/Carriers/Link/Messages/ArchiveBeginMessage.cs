using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Begins an archive.</summary>
/// <param name="Index">The archive's number.</param>
/// <param name="SettledBelow">The sender will not repeat archives with a smaller number: their receipts may be dropped.</param>
internal sealed record ArchiveBeginMessage(long Index, long SettledBelow) : ILinkMessage<ArchiveBeginMessage>
{
    public static LinkMessageType Type => LinkMessageType.ArchiveBegin;

    public int Length => 16;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Index);
        BinaryPrimitives.WriteInt64BigEndian(to[8..], SettledBelow);
    }

    public static ArchiveBeginMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new ArchiveBeginMessage(fields.Number(), fields.Number());
        fields.End();
        return message;
    }
}
