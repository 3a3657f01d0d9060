using System.Text;

namespace Transfer.Engine.Journal;

/// <summary>What a journal remembers, one thing a record.</summary>
internal abstract record JournalRecord
{
    private enum Kind : byte
    {
        RunBegan = 1,
        FileBegan = 2,
        RangeArrived = 3,
        FileDone = 4,
    }

    private JournalRecord()
    {
    }

    /// <summary>A run of the job: the first record of all, and of every continuation.</summary>
    /// <param name="Job">What the job is, to tell it from others: operation, source, target.</param>
    /// <param name="Names">The part of the run's temporary names that is its own.</param>
    public sealed record RunBegan(string Job, string Names) : JournalRecord;

    /// <summary>A file, large enough to be continued, is now written under a temporary name.</summary>
    /// <param name="Name">The file's name in the job.</param>
    /// <param name="Stamp">The source as it was.</param>
    /// <param name="Temporary">Where it is written: a path of the target's side.</param>
    public sealed record FileBegan(string Name, SourceStamp Stamp, string Temporary) : JournalRecord;

    /// <summary>A range of a file that was begun is there.</summary>
    /// <param name="Name">The file's name in the job.</param>
    /// <param name="Start">The first byte.</param>
    /// <param name="End">The byte after the last.</param>
    /// <param name="Tail">SHA-256 of the last bytes of it (see <see cref="PartialFile.TailLength"/>); empty: whoever continues has the source to compare with.</param>
    public sealed record RangeArrived(string Name, long Start, long End, byte[] Tail) : JournalRecord;

    /// <summary>A file is there under its name.</summary>
    /// <param name="Name">The key of its name: see <see cref="NameKey"/>.</param>
    /// <param name="Stamp">The source as it was.</param>
    public sealed record FileDone(NameKey Name, SourceStamp Stamp) : JournalRecord;

    public byte[] ToBytes()
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes, Encoding.UTF8);
        switch (this)
        {
            case RunBegan run:
                writer.Write((byte)Kind.RunBegan);
                writer.Write(run.Job);
                writer.Write(run.Names);
                break;
            case FileBegan file:
                writer.Write((byte)Kind.FileBegan);
                writer.Write(file.Name);
                Write(writer, file.Stamp);
                writer.Write(file.Temporary);
                break;
            case RangeArrived range:
                writer.Write((byte)Kind.RangeArrived);
                writer.Write(range.Name);
                writer.Write(range.Start);
                writer.Write(range.End);
                writer.Write7BitEncodedInt(range.Tail.Length);
                writer.Write(range.Tail);
                break;
            case FileDone done:
                writer.Write((byte)Kind.FileDone);
                writer.Write(done.Name.High);
                writer.Write(done.Name.Low);
                Write(writer, done.Stamp);
                break;
        }
        writer.Flush();
        return bytes.ToArray();
    }

    /// <summary>Reads a record; null when it is none of ours.</summary>
    public static JournalRecord? Parse(ReadOnlyMemory<byte> record)
    {
        using var reader = new BinaryReader(new MemoryStream(record.ToArray()), Encoding.UTF8);
        try
        {
            return (Kind)reader.ReadByte() switch
            {
                Kind.RunBegan => new RunBegan(reader.ReadString(), reader.ReadString()),
                Kind.FileBegan => new FileBegan(reader.ReadString(), ReadStamp(reader), reader.ReadString()),
                Kind.RangeArrived => new RangeArrived(reader.ReadString(), reader.ReadInt64(), reader.ReadInt64(), reader.ReadBytes(reader.Read7BitEncodedInt())),
                Kind.FileDone => new FileDone(new NameKey(reader.ReadUInt64(), reader.ReadUInt64()), ReadStamp(reader)),
                _ => null,
            };
        }
        catch (Exception e) when (e is EndOfStreamException or FormatException or ArgumentOutOfRangeException)
        {
            return null;
        }
    }

    private static void Write(BinaryWriter writer, SourceStamp stamp)
    {
        writer.Write(stamp.Length);
        writer.Write(stamp.Modified);
    }

    private static SourceStamp ReadStamp(BinaryReader reader) => new(reader.ReadInt64(), reader.ReadInt64());
}
