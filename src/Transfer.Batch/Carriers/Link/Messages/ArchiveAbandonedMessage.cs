using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Gives up the archive that has begun: the source can't be read.</summary>
internal sealed record ArchiveAbandonedMessage : ILinkMessage<ArchiveAbandonedMessage>
{
    public static LinkMessageType Type => LinkMessageType.ArchiveAbandoned;

    public int Length => 0;

    public void Write(Span<byte> to)
    {
        // The type is the whole message.
    }

    public static ArchiveAbandonedMessage Parse(ReadOnlySpan<byte> payload)
    {
        new LinkFields(payload).End();
        return new ArchiveAbandonedMessage();
    }
}
