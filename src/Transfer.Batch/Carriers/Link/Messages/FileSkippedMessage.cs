using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Reports a skipped file, before the archive's receipt.</summary>
/// <param name="Index">The archive's number.</param>
/// <param name="Path">The file's path in the job.</param>
internal sealed record FileSkippedMessage(long Index, string Path) : ILinkMessage<FileSkippedMessage>
{
    public static LinkMessageType Type => LinkMessageType.FileSkipped;

    public int Length => 8 + LinkFields.LengthOf(Path);

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Index);
        LinkFields.WriteText(to[8..], Path);
    }

    public static FileSkippedMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new FileSkippedMessage(fields.Number(), fields.Text());
        fields.End();
        return message;
    }
}
