using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The archive that has begun is given up: its source can't be read.</summary>
internal sealed record ArchiveAbandonedMessage : ILinkMessage<ArchiveAbandonedMessage>
{
    public static LinkMessageType Type => LinkMessageType.ArchiveAbandoned;

    public int Length => 0;

    public void Write(Span<byte> to)
    {
        // It says all by its type.
    }

    public static ArchiveAbandonedMessage Parse(ReadOnlySpan<byte> payload)
    {
        new LinkFields(payload).End();
        return new ArchiveAbandonedMessage();
    }
}
