using System.Buffers.Binary;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Requests the receiver's version of a file. Allowed anywhere, also within an archive.</summary>
/// <param name="Number">The request's number, repeated in the answer.</param>
/// <param name="FileLength">The file's length at the sender.</param>
/// <param name="Modified">The file's time of modification at the sender, in ticks of 100 ns since the year 1, UTC.</param>
/// <param name="Path">The file's path in the job.</param>
internal sealed record SignatureWantedMessage(long Number, long FileLength, long Modified, string Path)
    : ILinkMessage<SignatureWantedMessage>
{
    /// <summary>The most requests of a lane that wait for their answer.</summary>
    public const int MostUnanswered = 256;

    public static LinkMessageType Type => LinkMessageType.SignatureWanted;

    public int Length => 24 + LinkFields.LengthOf(Path);

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Number);
        BinaryPrimitives.WriteInt64BigEndian(to[8..], FileLength);
        BinaryPrimitives.WriteInt64BigEndian(to[16..], Modified);
        LinkFields.WriteText(to[24..], Path);
    }

    public static SignatureWantedMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var message = new SignatureWantedMessage(fields.Number(), fields.Number(), fields.Number(), fields.Text());
        fields.End();
        return message.Path.Length <= TarFormat.MostPath
            ? message : throw new TransferException(TransferError.Protocol, "The sender asks for a path that is too long for any.");
    }
}
