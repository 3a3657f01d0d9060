using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The job is over at the receiver.</summary>
/// <param name="Files">Files that have their names.</param>
internal sealed record JobDoneMessage(long Files) : ILinkMessage<JobDoneMessage>
{
    public static LinkMessageType Type => LinkMessageType.JobDone;

    public int Length => 8;

    public void Write(Span<byte> to) => BinaryPrimitives.WriteInt64BigEndian(to, Files);

    public static JobDoneMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new JobDoneMessage(fields.Number());
        fields.End();
        return message;
    }
}
