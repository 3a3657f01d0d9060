using System.Security.Cryptography;
using Transfer.Batch.Sealing;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Spool.Records;

/// <summary>A sender's statement about a job, in front of the archives (docs/internals/batch-format.md, "Spool").</summary>
internal sealed record SpoolHead
{
    /// <summary>The most recipients; a header has room for the sender's own wrap beside theirs.</summary>
    public const int MostRecipients = ArchiveHeader.MostWraps - 1;

    /// <summary>The longest deadline.</summary>
    public static readonly TimeSpan MostDeadline = TimeSpan.FromSeconds((long)TimeSpan.MaxValue.TotalSeconds / 2);

    private const byte Kind = 1;

    public required JobId Job { get; init; }

    /// <summary>A value derived from the job's secret for this purpose alone, which binds the head to that secret.</summary>
    public required byte[] Commitment { get; init; }

    /// <summary>A number that identifies the sender's state among those with the same key, each of which numbers its own jobs.</summary>
    public required long Line { get; init; }

    /// <summary>Greater for each job of a line.</summary>
    public required long Sequence { get; init; }

    /// <summary>When the job began by the sender's clock, for people: milliseconds since 1970.</summary>
    public required long Sent { get; init; }

    /// <summary>The seconds after which the job may be deleted without all confirmations; 0: never.</summary>
    public required long Deadline { get; init; }

    /// <summary>The sender's public key; null: a holder of the shared key or passphrase.</summary>
    public required SpoolPublicKey? Sender { get; init; }

    public required IReadOnlyList<SpoolRecipient> To { get; init; }

    /// <summary>The commitment to a secret, by HKDF-SHA256 (RFC 5869).</summary>
    public static byte[] Commit(JobSecret secret, JobId job)
    {
        Span<byte> salt = stackalloc byte[JobId.Length];
        job.Write(salt);
        var commitment = new byte[32];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, secret.Bytes, commitment, salt, "transfer spool 1 secret"u8);
        return commitment;
    }

    /// <summary>The name of the sequence of jobs to which the job belongs.</summary>
    public string Order => $"{Sender?.ToString() ?? "all"} {Line}";

    /// <summary>Returns the place of a recipient in <see cref="To"/>; -1: the job is for other recipients.</summary>
    public int IndexOf(string name, SpoolPublicKey? key)
    {
        for (var i = 0; i < To.Count; i++)
        {
            if (To[i].Name == name && Equals(To[i].Key, key)) return i;
        }
        return -1;
    }

    public byte[] ToBytes()
    {
        var record = new RecordWriter().Byte(Kind).Job(Job).Bytes(Commitment).Number(Line).Number(Sequence).Number(Sent).Number(Deadline);
        record.ShortBytes(PointOf(Sender)).UInt16(To.Count);
        foreach (var one in To) record.Text(one.Name).ShortBytes(PointOf(one.Key));
        return record.ToArray();
    }

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the bytes are malformed.</exception>
    public static SpoolHead Parse(ReadOnlySpan<byte> bytes)
    {
        var fields = new LinkFields(bytes);
        if (fields.Byte() != Kind) throw Malformed();
        var (job, commitment) = (JobId.Read(fields.Bytes(JobId.Length)), fields.Bytes(32));
        var (line, sequence, sent, deadline, sender) = (fields.Number(), fields.Number(), fields.Number(), fields.Number(),
            Key(ref fields));
        var count = fields.UInt16();
        if (count is 0 or > MostRecipients || deadline > (long)MostDeadline.TotalSeconds) throw Malformed();
        var to = new List<SpoolRecipient>(count);
        for (; count > 0; count--)
        {
            var recipient = new SpoolRecipient(fields.Text(), Key(ref fields));
            if (!SpoolRecipient.IsName(recipient.Name) || (sender is null) != (recipient.Key is null)) throw Malformed();
            to.Add(recipient);
        }
        fields.End();
        return new SpoolHead
        {
            Job = job,
            Commitment = commitment,
            Line = line,
            Sequence = sequence,
            Sent = sent,
            Deadline = deadline,
            Sender = sender,
            To = to
        };
    }

    private static ReadOnlySpan<byte> PointOf(SpoolPublicKey? key) => key is null ? [] : key.Recipient.Point;

    private static SpoolPublicKey? Key(ref LinkFields fields) =>
        fields.ShortBytes(P256Point.Length) is { Length: > 0 } point ? new SpoolPublicKey(new RecipientKey(point)) : null;

    private static TransferException Malformed() => new(TransferError.Protocol, "The record is no head of a job.");
}
