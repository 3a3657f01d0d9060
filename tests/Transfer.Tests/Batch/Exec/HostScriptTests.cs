using System.Diagnostics;
using System.Text;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Carriers.Exec;

namespace Transfer.Tests.Batch.Exec;

/// <summary>What is run at a host, and what it answers.</summary>
public sealed class HostScriptTests
{
    private static readonly string[] Paths =
        ["/plain/x", "/a b", "/-rf", "/quote'quote", "/double\"quote", "/back\\slash", "/\\0101", "/$HOME", "/`id`", "/%s%n", "/*?[x]",
        "/é漢", "/line\nend", "/ends\n", "/ end ", "/tab\t", "/!!"];

    private static IEnumerable<string> Scripts =>
    [
        HostScript.Probe("m"), HostScript.Extract(setsTimes: true), HostScript.Extract(setsTimes: false), HostScript.Create, HostScript.See,
        HostScript.Receive(OverwriteMode.Newer, perms: false), HostScript.Receive(OverwriteMode.Always, perms: true), HostScript.Remove,
    ];

    [TestCaseSource(nameof(Scripts))]
    public void A_script_is_one_word_in_single_quotes_to_whatever_shell(string script)
    {
        Assert.That(script.AsSpan().IndexOfAny("'\\!\n\r"), Is.EqualTo(-1));
        Assert.That(script, Is.All.InRange(' ', '~'));
        Assert.That(HostScript.Command("mark", script), Is.EqualTo($"sh -c 'echo; echo mark; {script}'"));
    }

    [TestCaseSource(nameof(Paths))]
    [Platform(Exclude = "Win", Reason = "It is a POSIX shell's script.")]
    public async Task A_shell_reads_the_path_that_was_meant_and_not_a_byte_more(string path)
    {
        var line = HostPath.Line(path, NameEncoding.LosslessUtf8);
        Assert.That(Encoding.ASCII.GetString(line), Does.Match("^[A-Za-z0-9/._\\\\-]+\n$"));
        using var shell = Process.Start(
            new ProcessStartInfo("sh", ["-c", "IFS= read -r d; d=$(printf %bx \"$d\"); printf %s \"${d%x}|\"; cat"])
            { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        await shell.StandardInput.BaseStream.WriteAsync((byte[])[.. line, .. "rest"u8]);
        shell.StandardInput.Close();
        using var output = new MemoryStream();
        await shell.StandardOutput.BaseStream.CopyToAsync(output);
        await shell.WaitForExitAsync();
        Assert.That(Encoding.UTF8.GetString(output.ToArray()), Is.EqualTo(path + "|rest"));
    }

    [TestCase("/x/photos\n", Description = "No folder of a job's own.")]
    [TestCase("/x/.transfer-0000000000000000-1.part", Description = "The line was cut off.")]
    [Platform(Exclude = "Win", Reason = "It is a POSIX shell's script.")]
    public async Task Only_a_jobs_own_folder_is_deleted_and_only_by_its_whole_name(string line)
    {
        using var folder = new TempFolder();
        folder.Add("x/photos", [1]);
        folder.Add("x/.transfer-0000000000000000-1.part", [1]);
        using var shell = Process.Start(new ProcessStartInfo("sh", ["-c", HostScript.Remove]) { RedirectStandardInput = true })!;
        await shell.StandardInput.WriteAsync(folder.Path + line);
        shell.StandardInput.Close();
        await shell.WaitForExitAsync();
        Assert.That((shell.ExitCode, folder.Files.Count), Is.EqualTo((1, 2)));
    }

    [TestCase("/~", ".\n")]
    [TestCase("/~/x y", "./x\\0040y\n")]
    [TestCase("/~x", null)]
    [TestCase("/~alice/in", null)]
    [TestCase("/./~x", "/./\\0176x\n")]
    public void The_log_in_folder_is_where_a_command_begins(string path, string? line)
    {
        Assert.That(HostPath.IsKnown(path), Is.EqualTo(line is not null));
        if (line is not null) Assert.That(Encoding.ASCII.GetString(HostPath.Line(path, Encoding.UTF8)), Is.EqualTo(line));
    }

    [Test]
    public void Bytes_that_are_no_text_are_told_as_they_are() =>
        Assert.That(Encoding.ASCII.GetString(HostPath.Line("/" + NameEncoding.LosslessUtf8.GetString([0xFF]), NameEncoding.LosslessUtf8)),
            Is.EqualTo("/\\0377\n"));

    [TestCase("0022\ntar (GNU tar) 1.34\n/usr/bin/transfer\nm\n", "Gnu", true, 18)]
    [TestCase("22\nbsdtar 3.7.2 - libarchive 3.7.2 zlib/1.2.12\n\nm\n", "Bsd", false, 18)]
    [TestCase("0077\ntar (busybox) 1.35.0\n\nm\n", "Busybox", false, 63)]
    [TestCase("0002\nsh: 1: tar: not found\n\nm\n", "None", false, 2)]
    public void An_answer_tells_whose_tar_it_is(string answer, string tar, bool transfer, int umask)
    {
        var tools = HostTools.Parse(answer, "m")!;
        Assert.That((tools.Tar.ToString(), tools.HasTransfer, (int)tools.Umask), Is.EqualTo((tar, transfer, umask)));
        Assert.That((int)tools.FileMode, Is.EqualTo(0b110_110_110 & ~umask));
    }

    [TestCase("")]
    [TestCase("m\n")]
    [TestCase("0022\ntar (GNU tar) 1.34\n\n", Description = "It ended before the second marker.")]
    [TestCase("u=rwx\ntar (GNU tar) 1.34\n\nm\n")]
    [TestCase("999\ntar (GNU tar) 1.34\n\nm\n")]
    [TestCase("0022\n\ntar (GNU tar) 1.34\n\nm\n")]
    public void Whatever_else_answers_is_no_shell(string answer) => Assert.That(HostTools.Parse(answer, "m"), Is.Null);

    [Test]
    public void Entries_for_a_systems_tar_have_no_extended_headers_and_read_back_as_they_were()
    {
        var deep = string.Join('/', Enumerable.Repeat(new string('ü', 60), 5));
        var form = new EntryForm
        {
            FileMode = (UnixFileMode)0b110_100_000,
            FolderMode = (UnixFileMode)0b111_101_000,
            WholeSeconds = true,
            RawNames = true
        };
        var headers = new TarHeaders(rawNames: true);
        foreach (var (path, link) in new[] { ("plain", ""), ("é漢", ""), (deep, ""), ("l", deep), (deep + "2", deep) })
        {
            var entry = form.Apply(new TarEntry
            {
                Path = path,
                Type = link.Length > 0 ? TarEntryType.Link : TarEntryType.File,
                LinkText = link,
                Modified = new DateTime(2024, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc),
                Created = DateTime.UtcNow
            });
            var bytes = headers.Of(entry).ToArray();
            for (var at = 0; at < bytes.Length; at += TarFormat.Block) Assert.That(bytes[at + TarFormat.TypeAt], Is.Not.EqualTo((byte)'x'));
            var target = new Entries();
            new TarReader(target).Read(bytes);
            Assert.That(target.Last, Is.EqualTo(entry));
            Assert.That(target.Last!.Modified.Millisecond, Is.Zero);
        }
    }

    [Test]
    public void Only_what_was_asked_for_is_let_through()
    {
        var target = new Entries();
        var listed = new ListedFiles(target, [new("a", 3), new("d/b", 0), new("c", 5), new("l", 0)]);
        listed.Begin(Entry("./a", 3));
        listed.Begin(Entry("./d/b", 0));
        listed.Begin(Entry("c", 4)); // another length
        listed.Begin(Entry("./../e", 1));
        listed.Begin(Entry("./a", 3)); // once more
        listed.Begin(Entry("l", 0) with { Type = TarEntryType.Link, LinkText = "/" });
        Assert.That(target.Paths, Is.EqualTo(new[] { "a", "d/b" }));
        Assert.That(listed.Missing, Is.EquivalentTo(new[] { "c", "l" }));
    }

    [Test]
    public void A_hosts_tar_sends_neither_slices_nor_deltas()
    {
        var target = new Entries();
        var listed = new ListedFiles(target, [new("a", 3), new("b", 3)]);
        listed.Begin(Entry("./a", 3) with { Delta = new TarDelta(20480, 512, 20480, new byte[32]) });
        listed.Begin(Entry("./b", 3) with { Slice = new TarSlice(1, 0, 3) });
        Assert.That(target.Paths, Is.Empty);
        Assert.That(listed.Missing, Is.EquivalentTo(new[] { "a", "b" }));
    }

    [Test]
    public void A_name_that_is_listed_twice_is_asked_for_once()
    {
        var target = new Entries();
        var listed = new ListedFiles(target, [new("a", 3), new("a", 4)]);
        listed.Begin(Entry("./a", 3));
        listed.Begin(Entry("./a", 4));
        Assert.That((target.Paths.Count, listed.Missing.Count), Is.EqualTo((1, 0)));
    }

    private static TarEntry Entry(string path, long length) => new() { Path = path, Type = TarEntryType.File, Length = length };

    private sealed class Entries : ITarTarget
    {
        public List<string> Paths { get; } = [];

        public TarEntry? Last { get; private set; }

        public void Begin(TarEntry entry)
        {
            Last = entry;
            Paths.Add(entry.Path);
        }

        public void Write(ReadOnlySpan<byte> content)
        {
        }

        public void End()
        {
        }

        public void Invalidate(long ordinal)
        {
        }
    }
}
