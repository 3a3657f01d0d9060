using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>Confirms that an archive's files are safe, except those of earlier <see cref="FileFailureMessage"/>s.</summary>
/// <param name="Index">The archive's number.</param>
/// <param name="Digest">The digest of the archive.</param>
/// <param name="Files">The number of files that have been published.</param>
internal sealed record ReceiptMessage(long Index, byte[] Digest, long Files) : ILinkMessage<ReceiptMessage>
{
    public const int MaxDigest = 64;

    public static LinkMessageType Type => LinkMessageType.Receipt;

    public int Length => 17 + Digest.Length;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Index);
        BinaryPrimitives.WriteInt64BigEndian(to[8..], Files);
        to[16] = (byte)Digest.Length;
        Digest.CopyTo(to[17..]);
    }

    public static ReceiptMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var index = fields.Number();
        var files = fields.Number();
        var message = new ReceiptMessage(index, fields.ShortBytes(MaxDigest), files);
        fields.End();
        return message;
    }
}
