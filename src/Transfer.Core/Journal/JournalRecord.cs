namespace Transfer.Journal;

/// <summary>A record of a journal: one event each.</summary>
internal abstract record JournalRecord
{
    private enum Kind : byte
    {
        RunBegan = 1,
        FileBegan = 2,
        RangeArrived = 3,
        FileDone = 4,
        FileTaken = 5,
        FileLeft = 6,
        FileStays = 7, // without the path; not written any more
        FileDivided = 8,
        AsideBegan = 9,
        AsideEnded = 10,
        FileStaysFor = 11,
        FileStaysEnded = 12,
    }

    private JournalRecord()
    {
    }

    /// <summary>A run of the job: the first record of all, and of every continuation.</summary>
    /// <param name="Job">The identity of the job: operation, source, target.</param>
    /// <param name="Names">The part that only this run's temporary names have.</param>
    public sealed record RunBegan(string Job, string Names) : JournalRecord;

    /// <summary>A file, large enough to be continued, is now written under a temporary name.</summary>
    /// <param name="Name">The file's name in the job.</param>
    /// <param name="Stamp">The source at that time.</param>
    /// <param name="Temporary">The path of the partial file, at the target's side.</param>
    /// <param name="IsDivided">Whether several sessions write: the ranges there need not be at the file's beginning.</param>
    public sealed record FileBegan(string Name, SourceStamp Stamp, string Temporary, bool IsDivided = false) : JournalRecord;

    /// <summary>A range of a begun file has arrived.</summary>
    /// <param name="Name">The file's name in the job.</param>
    /// <param name="Start">The first byte.</param>
    /// <param name="End">The byte after the last.</param>
    /// <param name="Tail">SHA-256 of the range's last bytes (see <see cref="RangeTail"/>); empty: a later run compares with the
    /// source.</param>
    public sealed record RangeArrived(string Name, long Start, long End, byte[] Tail) : JournalRecord;

    /// <summary>A file is about to be moved: if the file is found at the target later, this job put it there.</summary>
    /// <param name="Name">The key of the file's name: see <see cref="NameKey"/>.</param>
    /// <param name="Stamp">The source at that time.</param>
    public sealed record FileStarted(NameKey Name, SourceStamp Stamp) : JournalRecord;

    /// <summary>A file is at the target under the final name.</summary>
    /// <param name="Name">The key of the file's name: see <see cref="NameKey"/>.</param>
    /// <param name="Stamp">The source at that time.</param>
    public sealed record FileDone(NameKey Name, SourceStamp Stamp) : JournalRecord;

    /// <summary>An earlier run has left a temporary file, which no run continues.</summary>
    /// <param name="Temporary">The path of the temporary file, at the target's side.</param>
    public sealed record LeftoverFile(string Temporary) : JournalRecord;

    /// <summary>A file of <see cref="LeftoverFile"/> is not to be deleted, as the only copy of its content.</summary>
    /// <param name="Temporary">The path of the temporary file, at the target's side.</param>
    /// <param name="Path">The path that the content belongs to.</param>
    public sealed record FileKept(string Temporary, string Path) : JournalRecord;

    /// <summary>A file of <see cref="FileKept"/> is not there any more.</summary>
    /// <param name="Temporary">The former path.</param>
    public sealed record FileKeptEnded(string Temporary) : JournalRecord;

    /// <summary>A file of the target is about to be moved aside, so that another can get the name.</summary>
    /// <param name="Path">The path of the file.</param>
    /// <param name="Aside">The path meanwhile.</param>
    public sealed record AsideBegan(string Path, string Aside) : JournalRecord;

    /// <summary>There is no file aside any more under that path.</summary>
    /// <param name="Aside">The path.</param>
    public sealed record AsideEnded(string Aside) : JournalRecord;

    public byte[] ToBytes()
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        switch (this)
        {
            case RunBegan run:
                writer.Write((byte)Kind.RunBegan);
                Write(writer, run.Job);
                Write(writer, run.Names);
                break;
            case FileBegan file:
                writer.Write((byte)(file.IsDivided ? Kind.FileDivided : Kind.FileBegan));
                Write(writer, file.Name);
                Write(writer, file.Stamp);
                Write(writer, file.Temporary);
                break;
            case RangeArrived range:
                writer.Write((byte)Kind.RangeArrived);
                Write(writer, range.Name);
                writer.Write(range.Start);
                writer.Write(range.End);
                writer.Write7BitEncodedInt(range.Tail.Length);
                writer.Write(range.Tail);
                break;
            case FileStarted taken:
                writer.Write((byte)Kind.FileTaken);
                Write(writer, taken.Name);
                Write(writer, taken.Stamp);
                break;
            case FileDone done:
                writer.Write((byte)Kind.FileDone);
                Write(writer, done.Name);
                Write(writer, done.Stamp);
                break;
            case LeftoverFile left:
                writer.Write((byte)Kind.FileLeft);
                Write(writer, left.Temporary);
                break;
            case FileKept stays:
                writer.Write((byte)Kind.FileStaysFor);
                Write(writer, stays.Temporary);
                Write(writer, stays.Path);
                break;
            case FileKeptEnded ended:
                writer.Write((byte)Kind.FileStaysEnded);
                Write(writer, ended.Temporary);
                break;
            case AsideBegan began:
                writer.Write((byte)Kind.AsideBegan);
                Write(writer, began.Path);
                Write(writer, began.Aside);
                break;
            case AsideEnded ended:
                writer.Write((byte)Kind.AsideEnded);
                Write(writer, ended.Aside);
                break;
        }
        writer.Flush();
        return bytes.ToArray();
    }

    /// <summary>Reads a record; null: not a valid one.</summary>
    public static JournalRecord? Parse(ReadOnlyMemory<byte> record)
    {
        using var reader = new BinaryReader(new MemoryStream(record.ToArray(), writable: false));
        try
        {
            return (Kind)reader.ReadByte() switch
            {
                Kind.RunBegan => new RunBegan(ReadText(reader), ReadText(reader)),
                Kind.FileBegan => new FileBegan(ReadText(reader), ReadStamp(reader), ReadText(reader)),
                Kind.FileDivided => new FileBegan(ReadText(reader), ReadStamp(reader), ReadText(reader), IsDivided: true),
                Kind.RangeArrived => new RangeArrived(ReadText(reader), reader.ReadInt64(), reader.ReadInt64(), ReadTail(reader)),
                Kind.FileTaken => new FileStarted(ReadKey(reader), ReadStamp(reader)),
                Kind.FileDone => new FileDone(ReadKey(reader), ReadStamp(reader)),
                Kind.FileLeft => new LeftoverFile(ReadText(reader)),
                Kind.FileStays => new FileKept(ReadText(reader), string.Empty),
                Kind.FileStaysFor => new FileKept(ReadText(reader), ReadText(reader)),
                Kind.FileStaysEnded => new FileKeptEnded(ReadText(reader)),
                Kind.AsideBegan => new AsideBegan(ReadText(reader), ReadText(reader)),
                Kind.AsideEnded => new AsideEnded(ReadText(reader)),
                _ => null,
            };
        }
        catch (Exception e) when (e is EndOfStreamException or FormatException or ArgumentOutOfRangeException)
        {
            return null;
        }
    }

    // As in memory: names may hold halves of surrogates (see NameEncoding), which no encoding would give back.
    private static void Write(BinaryWriter writer, string text)
    {
        writer.Write7BitEncodedInt(text.Length);
        foreach (var unit in text) writer.Write((ushort)unit);
    }

    private static string ReadText(BinaryReader reader)
    {
        return string.Create(ReadCount(reader, sizeof(char)), reader, static (units, from) =>
        {
            foreach (ref var unit in units) unit = (char)from.ReadUInt16();
        });
    }

    private static byte[] ReadTail(BinaryReader reader) => reader.ReadBytes(ReadCount(reader, sizeof(byte)));

    // Never more than the record has: a wrong count costs no memory.
    private static int ReadCount(BinaryReader reader, int size)
    {
        var count = reader.Read7BitEncodedInt();
        return count >= 0 && count <= (reader.BaseStream.Length - reader.BaseStream.Position) / size
            ? count : throw new EndOfStreamException();
    }

    private static void Write(BinaryWriter writer, NameKey key)
    {
        writer.Write(key.High);
        writer.Write(key.Low);
    }

    private static NameKey ReadKey(BinaryReader reader) => new(reader.ReadUInt64(), reader.ReadUInt64());

    private static void Write(BinaryWriter writer, SourceStamp stamp)
    {
        writer.Write(stamp.Length);
        writer.Write(stamp.Modified);
    }

    private static SourceStamp ReadStamp(BinaryReader reader) => new(reader.ReadInt64(), reader.ReadInt64());
}
