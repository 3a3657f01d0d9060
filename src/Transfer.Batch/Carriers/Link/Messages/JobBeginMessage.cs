using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>This lane is one of a job's.</summary>
/// <param name="Job">The job's number, 16 random bytes.</param>
/// <param name="Lanes">How many lanes the sender means to open.</param>
internal sealed record JobBeginMessage(byte[] Job, ushort Lanes) : ILinkMessage<JobBeginMessage>
{
    public const int JobLength = 16;

    public static LinkMessageType Type => LinkMessageType.JobBegin;

    public int Length => JobLength + 2;

    public void Write(Span<byte> to)
    {
        Job.CopyTo(to);
        BinaryPrimitives.WriteUInt16BigEndian(to[JobLength..], Lanes);
    }

    public static JobBeginMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new JobBeginMessage(fields.Bytes(JobLength), fields.UInt16());
        fields.End();
        return message;
    }
}
