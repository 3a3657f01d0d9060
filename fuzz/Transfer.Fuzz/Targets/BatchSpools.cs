using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Carriers.Spool.Versions;
using Transfer.Batch.Sealing;

namespace Transfer.Fuzz.Targets;

/// <summary>What lies in a spool: heads, ends and confirmations of jobs, archives' headers, and versions of files that were sent.</summary>
internal static class BatchSpools
{
    private static readonly VersionName Name =
        VersionName.Parse(new VersionName(new string('a', 32), 1, JobId.New(), true).ToString())!;

    /// <summary>The first byte says which record it is.</summary>
    public static void Read(byte[] input)
    {
        if (input.Length == 0) return;
        var record = input.AsSpan(1);
        switch (input[0] % 6)
        {
            case 0: Again(record, bytes => SpoolHead.Parse(bytes).ToBytes()); break;
            case 1: Again(record, bytes => SpoolEnd.Parse(bytes).ToBytes()); break;
            case 2: Again(record, bytes => SpoolConfirmation.Parse(bytes).ToBytes()); break;
            case 3:
                Again(record,
                bytes => bytes.Length >= ArchiveHeader.FrontLength && ArchiveHeader.LengthOf(bytes) == bytes.Length
                    ? ArchiveHeader.Parse(bytes).ToBytes() : bytes); break;
            case 4: VersionHead.Parse(Name, record); break;
            default: VersionRecord.Parse(record); break;
        }
    }

    private static void Again(ReadOnlySpan<byte> record, Func<byte[], byte[]> rewrite)
    {
        var first = rewrite(record.ToArray());
        if (!first.AsSpan().SequenceEqual(rewrite(first))) throw new FuzzException("A record is not read as it is written.");
    }
}
