using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Spool.Records;

/// <summary>A recipient's statement about the archives received so far (docs/internals/batch-format.md, "Spool").</summary>
internal sealed record SpoolConfirmation
{
    /// <summary>The most bytes of the list of lacking files: the sealed confirmation is a record of a journal too.</summary>
    public const int MostLacking = 512 << 10;

    private const byte Kind = 3;
    private const byte FinalFlag = 1;
    private const byte LacksMoreFlag = 2;

    /// <summary>SHA-256 of the head.</summary>
    public required byte[] Head { get; init; }

    /// <summary>The recipient's place in the head.</summary>
    public required int Recipient { get; init; }

    /// <summary>Whether the recipient has all archives, and is done with the job.</summary>
    public required bool IsFinal { get; init; }

    /// <summary>The number of archives that the recipient has.</summary>
    public required long Archives { get; init; }

    /// <summary><see cref="SpoolEnd.DigestOf"/> those.</summary>
    public required byte[] Digest { get; init; }

    /// <summary>The files that the recipient does not have as sent: failed ones, deltas without their base, and existing files that were
    /// kept.</summary>
    public IReadOnlyCollection<string> MissingFiles { get; init; } = [];

    /// <summary>Whether there are more such files than the list holds.</summary>
    public bool HasMoreMissing { get; init; }

    /// <summary>How much of <see cref="MostLacking"/> a file takes.</summary>
    public static int LengthOf(string path) => LinkFields.LengthOf(path);

    public byte[] ToBytes()
    {
        var record = new RecordWriter().Byte(Kind).Byte((byte)((IsFinal ? FinalFlag : 0) | (HasMoreMissing ? LacksMoreFlag : 0)))
            .Bytes(Head).UInt16(Recipient).Number(Archives).Bytes(Digest).Number(MissingFiles.Count);
        foreach (var path in MissingFiles) record.Text(path);
        return record.ToArray();
    }

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the bytes are malformed.</exception>
    public static SpoolConfirmation Parse(ReadOnlySpan<byte> bytes)
    {
        var fields = new LinkFields(bytes);
        if (fields.Byte() != Kind || fields.Byte() is not (var flags and <= (FinalFlag | LacksMoreFlag)))
            throw new TransferException(TransferError.Protocol, "The record is no confirmation.");
        var confirmation = new SpoolConfirmation
        {
            IsFinal = (flags & FinalFlag) != 0,
            HasMoreMissing = (flags & LacksMoreFlag) != 0,
            Head = fields.Bytes(32),
            Recipient = fields.UInt16(),
            Archives = fields.Number(),
            Digest = fields.Bytes(32),
        };
        var lacking = new List<string>();
        var length = 0;
        for (var count = fields.Number(); count > 0; count--)
        {
            lacking.Add(fields.Text());
            length += LengthOf(lacking[^1]);
            if (length > MostLacking) throw new TransferException(TransferError.Protocol, "A confirmation tells of too many files.");
        }
        fields.End();
        return confirmation with { MissingFiles = lacking };
    }
}
