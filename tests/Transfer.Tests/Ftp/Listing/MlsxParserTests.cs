using Transfer.Ftp.Listing;

namespace Transfer.Tests.Ftp.Listing;

public sealed class MlsxParserTests
{
    [TestCase("type=file;size=1234;modify=20240305102233;UNIX.mode=0644;UNIX.uid=1000;UNIX.gid=100;unique=803g5; notes.txt",
        "file 1234 2024-03-05T10:22:33Z 644 1000 [notes.txt]")]
    [TestCase("Type=Dir;Sizd=4096;Modify=20240305102233.250;Perm=flcdmpe;UNIX.ownername=alice;UNIX.owner=1000; docs",
        "dir 4096 2024-03-05T10:22:33.25Z ? alice [docs]")]
    [TestCase("TYPE=FILE;SIZE=1;MODIFY=20240305102233;CREATE=20230102030405; UPPER",
        "file 1 2024-03-05T10:22:33Z ? ? [UPPER] created 2023-01-02T03:04:05Z")]
    [TestCase("unix.uid=7;unix.owner=bob;type=file; owner beats uid", "file ? ? ? bob [owner beats uid]")]
    [TestCase("unix.owner=bob;unix.uid=7;type=file; owner beats uid", "file ? ? ? bob [owner beats uid]")]
    [TestCase("unix.ownername=;unix.uid=7;type=file; empty", "file ? ? ? 7 [empty]")]
    [TestCase("type=file; two  spaces ; and =", "file ? ? ? ? [two  spaces ; and =]")]
    [TestCase("type=file;  leading", "file ? ? ? ? [ leading]")]
    [TestCase("type=file; trailing ", "file ? ? ? ? [trailing ]")]
    [TestCase("type=file;  ", "file ? ? ? ? [ ]")]
    [TestCase("type=OS.unix=slink:/target/x;size=9; link", "link 9 ? ? ? [link] -> /target/x")]
    [TestCase("type=OS.unix=slink:/my target/x;size=9; my link", "link 9 ? ? ? [my link] -> /my target/x")]
    [TestCase("type=OS.UNIX=slink:; link", "link ? ? ? ? [link]")]
    [TestCase("type=OS.unix=symlink; link", "link ? ? ? ? [link]")]
    [TestCase("type=OS.unix=slink; link", "link ? ? ? ? [link]")]
    [TestCase("type=OS.unix=chr-13/29; device", "other ? ? ? ? [device]")]
    [TestCase("type=OS.unix=pipe; pipe", "other ? ? ? ? [pipe]")]
    [TestCase("type=OS.other=thing; thing", "other ? ? ? ? [thing]")]
    [TestCase("type=file;X.unknown=1;Lang=en;Media-Type=text/plain;CharSet=utf-8; unknown facts", "file ? ? ? ? [unknown facts]")]
    [TestCase("type=file;size=x;modify=yesterday;UNIX.mode=9; bad values are unknown", "file ? ? ? ? [bad values are unknown]")]
    [TestCase("type=file;size=-1;modify=; bad", "file ? ? ? ? [bad]")]
    [TestCase("type=file;modify=191260102030405; nineteen hundred", "file ? 2026-01-02T03:04:05Z ? ? [nineteen hundred]")]
    [TestCase("type=file;size=1;UNIX.mode=100755; no semicolon before the end", "file 1 ? 755 ? [no semicolon before the end]")]
    [TestCase("type=file;size=5 lenient", "file 5 ? ? ? [lenient]")]
    [TestCase("size=4096;perm=el; entered and listed", "dir 4096 ? ? ? [entered and listed]")]
    [TestCase("size=4096;perm=r; read", "file 4096 ? ? ? [read]")]
    [TestCase(" no facts at all", "file ? ? ? ? [no facts at all]")]
    [TestCase(" type=dir;size=3; as MLST sends it", "dir 3 ? ? ? [as MLST sends it]")]
    [TestCase("     type=dir;size=3;  indented", "dir 3 ? ? ? [ indented]")]
    public void A_line_gives_all_it_says(string line, string expected)
    {
        Assert.That(MlsxParser.TryParse(line, Listed.Directory, out var entry, out var kind), Is.True);
        Assert.That(Listed.Describe(entry!), Is.EqualTo(expected));
        Assert.That(kind, Is.EqualTo(MlsxKind.Name));
    }

    [TestCase("type=cdir;modify=20240305102233; .", nameof(MlsxKind.Current))]
    [TestCase("type=cdir; /pub/sub", nameof(MlsxKind.Current))]
    [TestCase("Type=CDIR; sub", nameof(MlsxKind.Current))]
    [TestCase("type=pdir; ..", nameof(MlsxKind.Parent))]
    [TestCase("type=pdir; /", nameof(MlsxKind.Parent))]
    [TestCase("type=file; /pub/file", nameof(MlsxKind.Path))]
    [TestCase("type=file; ../file", nameof(MlsxKind.Path))]
    [TestCase("type=dir; sub/", nameof(MlsxKind.Path))]
    public void The_kind_tells_names_from_paths(string line, string expected)
    {
        Assert.That(MlsxParser.TryParse(line, Listed.Directory, out _, out var kind), Is.True);
        Assert.That(kind.ToString(), Is.EqualTo(expected));
    }

    [Test]
    public void A_full_path_is_reported_as_it_stands()
    {
        MlsxParser.TryParse(" type=file;size=3; /some where/else", Listed.Directory, out var entry, out _);

        Assert.That(entry!.Path, Is.EqualTo("/some where/else"));
        Assert.That(entry.Name, Is.EqualTo("else"));
    }

    [TestCase("")]
    [TestCase(" ")]
    [TestCase("type=file;")]
    [TestCase("type=file; ")]
    [TestCase("name")]
    [TestCase("=x; name")]
    [TestCase(";; name")]
    [TestCase("drwxr-xr-x   2 alice    users        4096 Mar  5 10:22 docs")]
    [TestCase("02-23-05  09:24AM       <DIR>          Folder")]
    public void A_line_that_is_none_is_refused(string line) =>
        Assert.That(MlsxParser.TryParse(line, Listed.Directory, out _, out _), Is.False);
}
