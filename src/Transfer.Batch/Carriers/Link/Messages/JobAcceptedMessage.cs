using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The job may begin, or goes on.</summary>
/// <param name="Instance">The receiver's own number for the job: another one means that it was started again since and knows nothing of what was unfinished.</param>
/// <param name="MaxLanes">Most lanes that it takes.</param>
/// <param name="HasBases">There were files before the job, and the sender may ask for their signatures.</param>
internal sealed record JobAcceptedMessage(ulong Instance, ushort MaxLanes, bool HasBases) : ILinkMessage<JobAcceptedMessage>
{
    public static LinkMessageType Type => LinkMessageType.JobAccepted;

    public int Length => 11;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64BigEndian(to, Instance);
        BinaryPrimitives.WriteUInt16BigEndian(to[8..], MaxLanes);
        to[10] = HasBases ? (byte)1 : (byte)0;
    }

    public static JobAcceptedMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new JobAcceptedMessage(BinaryPrimitives.ReadUInt64BigEndian(fields.Bytes(8)), fields.UInt16(), fields.Byte() != 0);
        fields.End();
        return message;
    }
}
