using System.Diagnostics;
using System.Formats.Tar;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Batch.Archive.Tar;
using TarEntry = Transfer.Batch.Archive.Tar.TarEntry;
using TarEntryType = Transfer.Batch.Archive.Tar.TarEntryType;
using TarReader = Transfer.Batch.Archive.Tar.TarReader;

namespace Transfer.Tests.Batch.Archive;

public sealed class TarTests
{
    private static readonly string LongPath = string.Join('/', Enumerable.Repeat("folder-with-a-long-name", 20)) + "/file";

    [Test]
    public void What_is_written_is_read()
    {
        TarEntry[] entries =
        [
            Entry("a"),
            Entry(new string('n', 100)),
            Entry(new string('p', 155) + "/" + new string('n', 100)),
            Entry(new string('p', 156) + "/" + new string('n', 100)),
            Entry(LongPath),
            Entry("größe/日本語"),
            Entry("d") with { Type = TarEntryType.Directory, Length = 0 },
            Entry(LongPath) with { Type = TarEntryType.Directory, Length = 0 },
            Entry("l") with { Type = TarEntryType.Link, LinkText = "../x", Length = 0 },
            Entry("m") with { Type = TarEntryType.Link, LinkText = LongPath, Length = 0 },
            Entry("n") with { Type = TarEntryType.Link, LinkText = "ünï", Length = 0 },
            Entry("t") with { Modified = TarBuilder.Time.AddTicks(1), Created = TarBuilder.Time.AddTicks(-1234567) },
            Entry("old") with { Modified = new DateTime(1901, 2, 3, 4, 5, 6, 789, DateTimeKind.Utc) },
            Entry("future") with { Modified = new DateTime(9999, 12, 31, 23, 59, 59, DateTimeKind.Utc) },
            Entry("s") with { Slice = new TarSlice(7, 1L << 40, (1L << 41) + 5) },
        ];
        var tar = new TarBuilder();
        foreach (var entry in entries) tar.Add(entry, new byte[entry.Length]);
        Assert.That(Read(tar.ToBytes()).Entries, Is.EqualTo(entries));
    }

    [Test]
    public void Lengths_beyond_eight_gigabytes_are_said_in_pax()
    {
        var entry = Entry("huge") with { Length = 20L << 30 };
        var target = new Target();
        new TarReader(target).Read(new TarHeaders().Of(entry).Span);
        Assert.That(target.Entries.Single(), Is.EqualTo(entry));
    }

    [Test]
    public void The_framework_reads_it_too()
    {
        var bytes = new TarBuilder()
            .Add(LongPath, "content")
            .Add("dir", type: TarEntryType.Directory)
            .Add("link", type: TarEntryType.Link, link: LongPath)
            .Add(Entry("t") with { Modified = TarBuilder.Time.AddTicks(1234567), Length = 0 }, [])
            .ToBytes();
        using var reader = new System.Formats.Tar.TarReader(new MemoryStream(bytes));
        var file = reader.GetNextEntry(copyData: true)!;
        Assert.That((file.Name, new StreamReader(file.DataStream!).ReadToEnd()), Is.EqualTo((LongPath, "content")));
        Assert.That(reader.GetNextEntry()!.EntryType, Is.EqualTo(System.Formats.Tar.TarEntryType.Directory));
        Assert.That(reader.GetNextEntry()!.LinkName, Is.EqualTo(LongPath));
        Assert.That(reader.GetNextEntry()!.ModificationTime, Is.EqualTo(new DateTimeOffset(TarBuilder.Time).AddTicks(1234567)));
        Assert.That(reader.GetNextEntry(), Is.Null);
    }

    [TestCase(TarEntryFormat.Gnu)]
    [TestCase(TarEntryFormat.Pax)]
    [TestCase(TarEntryFormat.Ustar)]
    [TestCase(TarEntryFormat.V7)]
    public void What_others_write_is_read(TarEntryFormat format)
    {
        var path = format is TarEntryFormat.Gnu or TarEntryFormat.Pax ? LongPath : "dir/file";
        using var stream = new MemoryStream();
        using (var writer = new TarWriter(stream, format, leaveOpen: true))
        {
            System.Formats.Tar.TarEntry file = format switch
            {
                TarEntryFormat.Gnu => new GnuTarEntry(System.Formats.Tar.TarEntryType.RegularFile, path),
                TarEntryFormat.Pax => new PaxTarEntry(System.Formats.Tar.TarEntryType.RegularFile, path),
                TarEntryFormat.Ustar => new UstarTarEntry(System.Formats.Tar.TarEntryType.RegularFile, path),
                _ => new V7TarEntry(System.Formats.Tar.TarEntryType.V7RegularFile, path),
            };
            file.ModificationTime = new DateTimeOffset(TarBuilder.Time);
            file.DataStream = new MemoryStream("content"u8.ToArray());
            writer.WriteEntry(file);
        }
        var (entries, contents) = Read(stream.ToArray());
        Assert.That((entries.Single().Path, entries.Single().Modified, contents.Single()), Is.EqualTo((path, TarBuilder.Time, "content")));
    }

    [Test]
    public void The_systems_tar_lists_what_we_pack()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There is a tar of its own kind.");
        using var folder = new TempFolder();
        folder.Add("a.tar",
            new TarBuilder().Add(LongPath, "content").Add("größe", "x").Add("d", type: TarEntryType.Directory).Add("l",
                type: TarEntryType.Link, link: "d").ToBytes());
        var start = new ProcessStartInfo("tar", ["-tvf", folder["a.tar"]]) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["LC_ALL"] = "C.UTF-8";
        start.Environment["TZ"] = "UTC";
        using var tar = Process.Start(start)!;
        var lines = tar.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(tar.StandardError.ReadToEnd(), Is.Empty);
        tar.WaitForExit();
        Assert.That(tar.ExitCode, Is.Zero);
        Assert.That(lines, Has.Length.EqualTo(4));
        Assert.That(lines[0], Does.StartWith("-rw-r--r--").And.Contain("2024-05-06 07:08").And.EndWith(LongPath));
        Assert.That(lines[2], Does.StartWith("d").And.EndWith("d/"));
        Assert.That(lines[3], Does.StartWith("l").And.EndWith("l -> d"));
    }

    [Test]
    public void However_it_is_cut_the_result_is_the_same()
    {
        var bytes = new TarBuilder().Add(LongPath, new string('c', 1000)).Add("empty").Spoil(1).Add("b", "x").ToBytes();
        var whole = Read(bytes);
        Prop.ForAll(Gen.Choose(1, 700).ListOf().ToArbitrary(), cuts =>
        {
            var target = new Target();
            var reader = new TarReader(target);
            var at = 0;
            foreach (var cut in cuts)
            {
                var end = Math.Min(bytes.Length, at + cut);
                reader.Read(bytes.AsSpan(at, end - at));
                at = end;
            }
            reader.Read(bytes.AsSpan(at));
            reader.Complete();
            return target.Entries.SequenceEqual(whole.Entries) && target.Contents.SequenceEqual(whole.Contents)
                && target.Spoilt.SequenceEqual([1L]);
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void Any_bytes_give_a_result_or_an_error()
    {
        var valid = new TarBuilder().Add(Entry("größe") with { Modified = TarBuilder.Time.AddTicks(1) }, new byte[10]).ToBytes();
        Prop.ForAll<byte[], int, byte>((bytes, at, value) =>
        {
            Survives(bytes);
            Survives([.. bytes, .. new byte[1024]]);
            // A change in an extended header, which no checksum protects.
            var changed = valid.ToArray();
            changed[512 + (int)((uint)at % 64)] = value;
            Survives(changed);
        }).QuickCheckThrowOnFailure();
    }

    [TestCase("5 a=b\n")]
    [TestCase("7 a=b\n")]
    [TestCase("99999999999 a=b\n")]
    [TestCase("-6 a=b\n")]
    [TestCase("6 a b\n")]
    [TestCase("6 =bc\n")]
    [TestCase("a=b\n")]
    [TestCase(" ")]
    [TestCase("11 size=-1\n")]
    [TestCase("28 size=9999999999999999999\n")]
    [TestCase("11 mtime=x\n")]
    [TestCase("27 mtime=999999999999999999\n")]
    [TestCase("25 TRANSFER.slice.file=1\n")]
    public void Extended_headers_that_make_no_sense_are_refused(string body) =>
        Assert.That(() => Read(new TarBuilder().AddRaw("PaxHeader", 'x', body).Add("a").ToBytes()), Fails);

    [Test]
    public void What_is_no_tar_is_refused()
    {
        var valid = new TarBuilder().Add("a", "x").ToBytes();
        Assert.That(() => Read(valid[..^1024]), Fails, "without its end");
        Assert.That(() => Read(valid[..700]), Fails, "cut off");
        Assert.That(() => Read([.. valid, 1]), Fails, "something behind its end");
        Assert.That(() => Read([.. new byte[512], .. valid]), Fails, "something behind its end");
        valid[0] ^= 1;
        Assert.That(() => Read(valid), Fails, "checksum");
        Assert.That(() => Read(new TarBuilder().AddRaw("x", 'x', new string('y', 70_000)).ToBytes()), Fails, "extended header without end");
        Assert.That(() => Read(new TarBuilder().AddRaw("x", '0', "", header => header[TarFormat.SizeAt] = (byte)'9').ToBytes()), Fails,
            "number");
        Assert.That(() => Read(new TarBuilder().AddRaw("x", '0', "", header => header.AsSpan(TarFormat.SizeAt, 12).Fill(0xFF)).ToBytes()),
            Fails, "negative number");
    }

    private static NUnit.Framework.Constraints.IResolveConstraint Fails =>
        Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Protocol);

    private static TarEntry Entry(string path) =>
        new() { Path = path, Type = TarEntryType.File, Length = 3, Mode = (UnixFileMode)0b110_100_000, Modified = TarBuilder.Time };

    private static (List<TarEntry> Entries, List<string> Contents) Read(byte[] bytes)
    {
        var target = new Target();
        var reader = new TarReader(target);
        reader.Read(bytes);
        reader.Complete();
        return (target.Entries, target.Contents);
    }

    private static void Survives(byte[] bytes)
    {
        try
        {
            Read(bytes);
        }
        catch (TransferException e) when (e.Error == TransferError.Protocol)
        {
            // That is an answer.
        }
    }

    private sealed class Target : ITarTarget
    {
        public List<TarEntry> Entries { get; } = [];

        public List<string> Contents { get; } = [];

        public List<long> Spoilt { get; } = [];

        private readonly StringBuilder _content = new();

        public void Begin(TarEntry entry) => Entries.Add(entry);

        public void Write(ReadOnlySpan<byte> content) => _content.Append(Encoding.Latin1.GetString(content));

        public void End()
        {
            Contents.Add(_content.ToString());
            _content.Clear();
        }

        public void Invalidate(long ordinal) => Spoilt.Add(ordinal);
    }
}
