using System.Security.Cryptography;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>The head of a sender's record of a job.</summary>
/// <param name="Name">The name of the record.</param>
/// <param name="Continues">Whether files missing here are in the record of an earlier, interrupted job.</param>
/// <param name="To">The recipients of the job, each by <see cref="IdOf"/>.</param>
/// <param name="Place">The spool of the job: 32 hex digits. Recipients may fetch from another spool into another folder.</param>
internal sealed record VersionHead(VersionName Name, bool Continues, IReadOnlySet<string> To, string Place)
{
    private const int IdLength = 16;

    /// <summary>Returns the id of a recipient, from his name and key.</summary>
    public static string IdOf(SpoolRecipient one) =>
        Convert.ToHexStringLower(SHA256.HashData(NameEncoding.LosslessUtf8.GetBytes($"{one.Name}\n{one.Key}")).AsSpan(0, IdLength));

    public byte[] ToBytes()
    {
        var fields = new RecordWriter().Byte((byte)VersionRecordKind.Head).Bytes(Convert.FromHexString(Name.Family)).Number(Name.Sequence)
            .Job(Name.Job)
            .Byte(Continues ? (byte)1 : (byte)0).Bytes(Convert.FromHexString(Place)).UInt16(To.Count);
        foreach (var one in To.Order(StringComparer.Ordinal)) fields.Bytes(Convert.FromHexString(one));
        return VersionRecord.Framed(fields.ToArray());
    }

    /// <summary>Parses a head; null: the bytes are none, or the head is not that of the named job.</summary>
    public static VersionHead? Parse(VersionName name, ReadOnlySpan<byte> bytes)
    {
        try
        {
            var fields = new LinkFields(bytes);
            if (fields.Byte() != (byte)VersionRecordKind.Head
                || Convert.ToHexStringLower(fields.Bytes(name.Family.Length / 2)) != name.Family)
            {
                return null;
            }

            if (fields.Number() != name.Sequence || JobId.Read(fields.Bytes(JobId.Length)) != name.Job) return null;
            var continues = fields.Byte() != 0;
            var place = Convert.ToHexStringLower(fields.Bytes(IdLength));
            var to = new HashSet<string>();
            for (var count = fields.UInt16(); count > 0; count--) to.Add(Convert.ToHexStringLower(fields.Bytes(IdLength)));
            fields.End();
            return new VersionHead(name, continues, to, place);
        }
        catch (TransferException)
        {
            return null;
        }
    }
}
