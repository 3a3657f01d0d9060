using System.Buffers.Binary;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The job may begin, or goes on.</summary>
/// <param name="Instance">The receiver's own number for the job: another one means that it was started again since and knows nothing of what was unfinished.</param>
/// <param name="MaxLanes">Most lanes that it takes.</param>
internal sealed record JobAcceptedMessage(ulong Instance, ushort MaxLanes) : ILinkMessage<JobAcceptedMessage>
{
    public static LinkMessageType Type => LinkMessageType.JobAccepted;

    public int Length => 10;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64BigEndian(to, Instance);
        BinaryPrimitives.WriteUInt16BigEndian(to[8..], MaxLanes);
    }

    public static JobAcceptedMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new JobAcceptedMessage(BinaryPrimitives.ReadUInt64BigEndian(fields.Bytes(8)), fields.UInt16());
        fields.End();
        return message;
    }
}
