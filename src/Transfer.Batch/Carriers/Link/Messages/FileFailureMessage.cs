using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Reports a file that could not be written.</summary>
/// <param name="Index">The archive's number.</param>
/// <param name="Failure">The file and the error.</param>
internal sealed record FileFailureMessage(long Index, ArchiveFailure Failure) : ILinkMessage<FileFailureMessage>
{
    public static LinkMessageType Type => LinkMessageType.FileFailure;

    public int Length => 9 + LinkFields.LengthOf(Failure.Path) + LinkFields.LengthOf(Failure.Message);

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Index);
        to[8] = WireError.Write(Failure.Error);
        LinkFields.WriteText(LinkFields.WriteText(to[9..], Failure.Path), Failure.Message);
    }

    public static FileFailureMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var index = fields.Number();
        var error = fields.Error();
        var message = new FileFailureMessage(index, new ArchiveFailure(fields.Text(), error, fields.Reason()));
        fields.End();
        return message;
    }
}
