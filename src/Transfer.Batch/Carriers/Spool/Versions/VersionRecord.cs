using System.Buffers.Binary;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>
/// An entry in a sender's record of a job: the length of the fields and their CRC-32C (both 32 bits), the fields, and behind those of a
/// file the hashes of the blocks, with a checksum of their own, so that a search for one file need not read the hashes of all.
/// </summary>
internal readonly record struct VersionRecord
{
    public const int FrontLength = 8;

    // A path, or 254 recipients.
    public const int MostFields = 32 << 10;

    /// <summary>The first bytes of the file.</summary>
    public static ReadOnlySpan<byte> Mark => "transfer bases 2\n"u8;

    public required VersionRecordKind Kind { get; init; }

    /// <summary>The path of the sent file.</summary>
    public string Path { get; init; }

    /// <summary>How long that was.</summary>
    public long Length { get; init; }

    /// <summary>The SHA-256 of the sent file.</summary>
    public byte[] Hash { get; init; }

    /// <summary>The bytes of the blocks' hashes.</summary>
    public int Entries { get; init; }

    /// <summary>CRC-32C of those.</summary>
    public uint Checksum { get; init; }

    /// <summary>Returns the fields with length and checksum in front; the hashes follow.</summary>
    public byte[] ToBytes()
    {
        var fields = new RecordWriter().Byte((byte)Kind);
        if (Kind != VersionRecordKind.Whole) fields.Text(Path);
        if (Kind == VersionRecordKind.File) fields.Number(Length).Bytes(Hash).Number(Entries).Number(Checksum);
        return Framed(fields.ToArray());
    }

    public static byte[] Framed(ReadOnlySpan<byte> fields)
    {
        var bytes = new byte[FrontLength + fields.Length];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, fields.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), JournalFile.Checksum(fields));
        fields.CopyTo(bytes.AsSpan(FrontLength));
        return bytes;
    }

    /// <summary>Reads the fields; null: they are none.</summary>
    public static VersionRecord? Parse(ReadOnlySpan<byte> bytes)
    {
        try
        {
            var fields = new LinkFields(bytes);
            var kind = (VersionRecordKind)fields.Byte();
            if (kind is not (VersionRecordKind.File or VersionRecordKind.Void or VersionRecordKind.Whole)) return null;
            var record = new VersionRecord { Kind = kind, Path = kind == VersionRecordKind.Whole ? string.Empty : fields.Text() };
            if (kind == VersionRecordKind.File)
            {
                record = record with
                {
                    Length = fields.Number(),
                    Hash = fields.Bytes(32),
                    Entries = checked((int)fields.Number()),
                    Checksum = checked((uint)fields.Number())
                };
            }

            fields.End();
            return record;
        }
        catch (Exception e) when (e is TransferException or OverflowException)
        {
            return null;
        }
    }
}
