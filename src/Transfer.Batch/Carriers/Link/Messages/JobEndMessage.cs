using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Ends the job: every archive is confirmed or given up.</summary>
/// <param name="Confirmed">The number of confirmed archives.</param>
/// <param name="GivenUp">The number of those given up.</param>
internal sealed record JobEndMessage(long Confirmed, long GivenUp) : ILinkMessage<JobEndMessage>
{
    public static LinkMessageType Type => LinkMessageType.JobEnd;

    public int Length => 16;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Confirmed);
        BinaryPrimitives.WriteInt64BigEndian(to[8..], GivenUp);
    }

    public static JobEndMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new JobEndMessage(fields.Number(), fields.Number());
        fields.End();
        return message;
    }
}
