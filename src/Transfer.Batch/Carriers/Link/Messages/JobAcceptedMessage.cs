using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Lets the job begin or go on.</summary>
/// <param name="Instance">The receiver's own number for the job: another one means that the receiver was restarted since, without the
/// unfinished archives.</param>
/// <param name="MaxLanes">The most lanes of the job.</param>
/// <param name="HasBases">Whether files existed before the job, so that the sender may request signatures.</param>
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
