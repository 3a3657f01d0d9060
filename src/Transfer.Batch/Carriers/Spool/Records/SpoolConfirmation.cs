using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Spool.Records;

/// <summary>What a recipient says of the archives that he has so far (docs/batch-format.md, "Spool").</summary>
internal sealed record SpoolConfirmation
{
    private const byte Kind = 3;

    /// <summary>SHA-256 of the head.</summary>
    public required byte[] Head { get; init; }

    /// <summary>The recipient's place in the head.</summary>
    public required int Recipient { get; init; }

    /// <summary>It has all archives, and is done with the job.</summary>
    public required bool IsFinal { get; init; }

    /// <summary>How many archives it has.</summary>
    public required long Archives { get; init; }

    /// <summary><see cref="SpoolEnd.DigestOf"/> those.</summary>
    public required byte[] Digest { get; init; }

    public byte[] ToBytes() => new RecordWriter()
        .Byte(Kind).Byte(IsFinal ? (byte)1 : (byte)0).Bytes(Head).UInt16(Recipient).Number(Archives).Bytes(Digest).ToArray();

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: it is malformed.</exception>
    public static SpoolConfirmation Parse(ReadOnlySpan<byte> bytes)
    {
        var fields = new LinkFields(bytes);
        if (fields.Byte() != Kind || fields.Byte() is not (var final and <= 1)) throw new TransferException(TransferError.Protocol, "It is no confirmation.");
        var confirmation = new SpoolConfirmation
        {
            IsFinal = final == 1,
            Head = fields.Bytes(32),
            Recipient = fields.UInt16(),
            Archives = fields.Number(),
            Digest = fields.Bytes(32),
        };
        fields.End();
        return confirmation;
    }
}
