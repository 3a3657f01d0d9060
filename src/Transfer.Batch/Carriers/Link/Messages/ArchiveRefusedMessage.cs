using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Refuses an archive as a whole.</summary>
/// <param name="Index">The archive's number.</param>
/// <param name="Error">The kind of error.</param>
/// <param name="Reason">A message for people.</param>
internal sealed record ArchiveRefusedMessage(long Index, TransferError Error, string Reason) : ILinkMessage<ArchiveRefusedMessage>
{
    public static LinkMessageType Type => LinkMessageType.ArchiveRefused;

    public int Length => 9 + LinkFields.LengthOf(Reason);

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Index);
        to[8] = WireError.Write(Error);
        LinkFields.WriteText(to[9..], Reason);
    }

    public static ArchiveRefusedMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new ArchiveRefusedMessage(fields.Number(), fields.Error(), fields.Reason());
        fields.End();
        return message;
    }
}
