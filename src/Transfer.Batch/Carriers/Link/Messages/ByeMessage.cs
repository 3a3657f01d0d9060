using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The last word was heard: the job is over at the sender too.</summary>
internal sealed record ByeMessage : ILinkMessage<ByeMessage>
{
    public static LinkMessageType Type => LinkMessageType.Bye;

    public int Length => 0;

    public void Write(Span<byte> to)
    {
        // The type is the whole message.
    }

    public static ByeMessage Parse(ReadOnlySpan<byte> payload)
    {
        new LinkFields(payload).End();
        return new ByeMessage();
    }
}
