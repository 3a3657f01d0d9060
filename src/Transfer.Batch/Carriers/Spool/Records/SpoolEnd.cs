using System.Security.Cryptography;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Spool.Records;

/// <summary>A sender's statement behind a job's archives, which declares them complete (docs/internals/batch-format.md, "Spool").</summary>
internal sealed record SpoolEnd
{
    /// <summary>The most archives of a job, which is a petabyte and more.</summary>
    public const long MostArchives = 1L << 28;

    private const byte Kind = 2;
    private const byte BrokenOffFlag = 1;
    private const byte AwaitedFlag = 2;

    /// <summary>SHA-256 of the head.</summary>
    public required byte[] Head { get; init; }

    /// <summary>Archives have numbers below this.</summary>
    public required long Archives { get; init; }

    /// <summary>The numbers, in their order, that no archive has.</summary>
    public required IReadOnlyList<long> Void { get; init; }

    /// <summary><see cref="DigestOf"/> all archives.</summary>
    public required byte[] Digest { get; init; }

    /// <summary>Whether the sender was broken off, and another job goes on from here: files with missing parts are sent once
    /// more.</summary>
    public bool IsBrokenOff { get; init; }

    /// <summary>Whether the sender will read the confirmations: the last recipient deletes the archives, and leaves the rest to the
    /// sender.</summary>
    public bool IsAwaited { get; init; }

    /// <summary>SHA-256 of the archives' own, in the order of their numbers.</summary>
    public static byte[] DigestOf(IEnumerable<byte[]> archives)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var archive in archives) hash.AppendData(archive);
        return hash.GetHashAndReset();
    }

    public byte[] ToBytes()
    {
        var record = new RecordWriter().Byte(Kind).Byte((byte)((IsBrokenOff ? BrokenOffFlag : 0) | (IsAwaited ? AwaitedFlag : 0))).Bytes(
            Head).Number(Archives).Number(Void.Count);
        foreach (var number in Void) record.Number(number);
        return record.Bytes(Digest).ToArray();
    }

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the bytes are malformed.</exception>
    public static SpoolEnd Parse(ReadOnlySpan<byte> bytes)
    {
        var fields = new LinkFields(bytes);
        if (fields.Byte() != Kind || fields.Byte() is not (var flags and <= (BrokenOffFlag | AwaitedFlag))) throw Malformed();
        var (head, archives, count) = (fields.Bytes(32), fields.Number(), fields.Number());
        if (archives > MostArchives || count > archives || count > bytes.Length / sizeof(long)) throw Malformed();
        var none = new List<long>((int)count);
        for (; count > 0; count--)
        {
            var number = fields.Number();
            if (number >= archives || none.Count > 0 && number <= none[^1]) throw Malformed();
            none.Add(number);
        }
        var end = new SpoolEnd
        {
            Head = head,
            Archives = archives,
            Void = none,
            Digest = fields.Bytes(32),
            IsBrokenOff = (flags & BrokenOffFlag) != 0,
            IsAwaited = (flags & AwaitedFlag) != 0
        };
        fields.End();
        return end;
    }

    private static TransferException Malformed() => new(TransferError.Protocol, "The record is no end of a job.");
}
