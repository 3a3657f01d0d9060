using System.Security.Cryptography;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Sealing;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Spool.Versions;

/// <summary>Which job it is that a sender keeps something of.</summary>
/// <param name="Name">What its file is called.</param>
/// <param name="Continues">An earlier job that was broken off has the files that this one has not.</param>
/// <param name="To">Whom it was for, each as <see cref="IdOf"/> has it.</param>
/// <param name="Place">The spool that it went through: 32 hex digits. Who fetches from another one may fetch into another folder.</param>
internal sealed record VersionHead(VersionName Name, bool Continues, IReadOnlySet<string> To, string Place)
{
    private const int IdLength = 16;

    /// <summary>What a recipient is known by: his name, and his key.</summary>
    public static string IdOf(SpoolRecipient one) =>
        Convert.ToHexStringLower(SHA256.HashData(NameEncoding.LosslessUtf8.GetBytes($"{one.Name}\n{one.Key}")).AsSpan(0, IdLength));

    public byte[] ToBytes()
    {
        var fields = new RecordWriter().Byte((byte)VersionRecordKind.Head).Bytes(Convert.FromHexString(Name.Family)).Number(Name.Sequence).Job(Name.Job)
            .Byte(Continues ? (byte)1 : (byte)0).Bytes(Convert.FromHexString(Place)).UInt16(To.Count);
        foreach (var one in To.Order(StringComparer.Ordinal)) fields.Bytes(Convert.FromHexString(one));
        return VersionRecord.Framed(fields.ToArray());
    }

    /// <summary>Reads it; null: it is none, or of another job than the file's name says.</summary>
    public static VersionHead? Parse(VersionName name, ReadOnlySpan<byte> bytes)
    {
        try
        {
            var fields = new LinkFields(bytes);
            if (fields.Byte() != (byte)VersionRecordKind.Head || Convert.ToHexStringLower(fields.Bytes(name.Family.Length / 2)) != name.Family) return null;
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
