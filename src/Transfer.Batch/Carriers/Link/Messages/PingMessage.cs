using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Still here.</summary>
internal sealed record PingMessage : ILinkMessage<PingMessage>
{
    public static LinkMessageType Type => LinkMessageType.Ping;

    public int Length => 0;

    public void Write(Span<byte> to)
    {
        // The type is the whole message.
    }

    public static PingMessage Parse(ReadOnlySpan<byte> payload)
    {
        new LinkFields(payload).End();
        return new PingMessage();
    }
}
