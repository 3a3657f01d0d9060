using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Ends the bytes of the archive that has begun.</summary>
internal sealed record ArchiveEndMessage : ILinkMessage<ArchiveEndMessage>
{
    public static LinkMessageType Type => LinkMessageType.ArchiveEnd;

    public int Length => 0;

    public void Write(Span<byte> to)
    {
        // The type is the whole message.
    }

    public static ArchiveEndMessage Parse(ReadOnlySpan<byte> payload)
    {
        new LinkFields(payload).End();
        return new ArchiveEndMessage();
    }
}
