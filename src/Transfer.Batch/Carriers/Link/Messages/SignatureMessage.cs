using System.Buffers.Binary;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>An answer to a <see cref="SignatureWantedMessage"/>, or a part of one: parts of an answer follow each other, and the last one
/// completes the blocks.</summary>
/// <param name="Number">The request's number.</param>
/// <param name="Kind">The kind of answer. <see cref="SignatureKind.None"/> also ends an answer that was begun.</param>
/// <param name="Shape">The shape of the file, the same in each part; default where there are no blocks.</param>
/// <param name="Entries">The hashes of the next blocks.</param>
internal sealed record SignatureMessage(long Number, SignatureKind Kind, BlockShape Shape, ReadOnlyMemory<byte> Entries)
    : ILinkMessage<SignatureMessage>
{
    /// <summary>The most bytes of hashes in one message: other messages of the receiver go in between.</summary>
    public const int MostEntries = 32 << 10;

    public static LinkMessageType Type => LinkMessageType.Signature;

    public int Length => Kind == SignatureKind.Blocks ? 22 + Entries.Length : 9;

    public static SignatureMessage Without(long number, SignatureKind kind) => new(number, kind, default, default);

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteInt64BigEndian(to, Number);
        to[8] = (byte)Kind;
        if (Kind != SignatureKind.Blocks) return;
        BinaryPrimitives.WriteInt64BigEndian(to[9..], Shape.Length);
        BinaryPrimitives.WriteInt32BigEndian(to[17..], Shape.Block);
        to[21] = (byte)Shape.Strong;
        Entries.Span.CopyTo(to[22..]);
    }

    public static SignatureMessage Parse(ReadOnlySpan<byte> payload)
    {
        var fields = new LinkFields(payload);
        var number = fields.Number();
        var kind = (SignatureKind)fields.Byte();
        if (kind != SignatureKind.Blocks)
        {
            fields.End();
            return kind is SignatureKind.None or SignatureKind.Skipped ? Without(number, kind) : throw Malformed();
        }
        var shape = new BlockShape(fields.Number(), (int)Math.Min(fields.UInt32(), int.MaxValue), fields.Byte());
        return shape.IsValid ? new SignatureMessage(number, kind, shape, fields.Rest()) : throw Malformed();
    }

    private static TransferException Malformed() => new(TransferError.Protocol, "The other side sent a signature that is none.");
}
