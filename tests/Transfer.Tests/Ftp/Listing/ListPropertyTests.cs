using System.Globalization;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Ftp.Listing;

namespace Transfer.Tests.Ftp.Listing;

[Category(Categories.Slow)]
public sealed class ListPropertyTests
{
    private static readonly string[] Fields =
    [
        "-rw-r--r--", "drwxrwxrwx", "lrwxrwxrwx", "crw-rw----", "1", "10", "8,", "0", "alice", "may", "1234", "99999999999999999999", "Mar",
        "Feb", "5", "29", "30",
        "10:22", "10:22:33", "2024", "2023", "0000", "9999", "2024-03-05", "0001-01-01", "9999-12-31", "03-05", "+1400", "-1400", "5日",
        "1月", "12月31日", "2024年",
        "02-23-05", "02-23-103", "23.02.2005", "02/23/2005", "09:24AM", "AM", "<DIR>", "<SYMLINK>", "<>", "[x]", "[", "]", "d [R----F--]",
        "DIR", "RHSA",
        "+r,s5,m1,\t", "+m253402300799,\t", "A.TXT;1", "B.DIR;1", "2/3", "30-DEC-1996", "30-DEC-9999", "%RMS", "Directory", "Total of",
        "Volume Unit", "Dsname", "VOL001", "3390", "2023/05/21", "**NONE**", "PO", "PS", "Migrated", "Name VV.MM", "01.03", "24/02/23",
        "*FILE", "*DIR", "*",
        "total", "type=file;", "type=OS.unix=slink:/x;", "modify=99991231235959;", "size=1;", "=", ";", "x", " -> ", "/", "", " ", "\t",
        "\0", "\uDC80", "\uD800",
    ];

    [Test]
    public void Lines_of_any_fields_never_throw() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(20_000), Prop.ForAll(
            Gen.Elements(Fields).ListOf().Select(fields => string.Join(' ', fields)).ListOf(3).ToArbitrary(),
            lines => ParseAll([.. lines])));

    [Test]
    public void Arbitrary_strings_never_throw() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(5000), Prop.ForAll<NonNull<string>>(text =>
        {
            ParseAll([text.Get]);
            ParseAll(["-rw-r--r-- 1 a b 3 " + text.Get, "02-23-05 " + text.Get, "+" + text.Get, "A;1 " + text.Get, "- [R] " + text.Get,
                "ALICE *" + text.Get]);
        }));

    [Test]
    public void Lines_cut_anywhere_never_throw()
    {
        string[] lines =
        [
            "-rw-r--r--+  1 alice    users        8, 1234 Mar  5 10:22:33.5 2023 a -> b",
            "-rw-r--r-- 1 alice users 10 2023-11-30 23:59:01.123456789 +0130 x",
            "02-23-05  09:24AM       <JUNCTION>     Users [C:\\Users]", "+i8388621.48598,m824253270,r,s612,up644,\t514.html",
            "d [R----F--] supervisor            512       Jan 16 18:53    login",
            "             36611      A          04-23-103  10:57  year 103.file",
            "README.TXT;1         2/3    30-DEC-1996 17:44:12.33 [SYSTEM] (RWED,RWED,RE,RE)",
            "VOL001 3390   2023/05/21  1   15  VB     256  6233  PO  PROD.SOURCE.LIB",
            "PAYROLL   01.03 2004/06/22 2005/07/23 16:32   128   120     8 ALICE",
            "ALICE           77824 24/02/23 15:09:55 *DIR       home/",
            "type=OS.unix=slink:/my target/x;size=9;UNIX.mode=0777;modify=20240305102233.25; my link",
        ];
        foreach (var line in lines)
        {
            for (var length = 0; length <= line.Length; length++) ParseAll([line[..length], line[length..]]);
        }
    }

    [Test]
    public void Generated_unix_lines_come_back() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(3000), Prop.ForAll(Entries(), entry =>
        {
            var parser = new ListParser();
            return parser.TryParse(Print(entry), Listed.Context, Listed.Directory, out var parsed) && entry.Equals(parsed);
        }));

    [Test]
    public void Generated_mlsd_lines_come_back() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(3000), Prop.ForAll(Entries(), entry =>
        {
            var type = entry.Type switch
            {
                RemoteEntryType.Directory => "dir",
                RemoteEntryType.Link => "OS.unix=slink:" + entry.LinkTarget,
                _ => "file"
            };
            var line =
                $"type={type};size={entry.Length};modify={entry.Modified:yyyyMMddHHmmss};UNIX.mode=0{Octal(entry)};UNIX.owner={entry.Owner};UNIX.group={entry.Group}; {entry.Name}";
            return MlsxParser.TryParse(line, Listed.Directory, out var parsed, out var kind) && kind == MlsxKind.Name
                && entry.Equals(parsed);
        }));

    private static void ParseAll(string[] lines)
    {
        var parser = new ListParser();
        foreach (var line in lines)
        {
            var understood = parser.TryParse(line, Listed.Context, Listed.Directory, out var entry);
            if (!understood && entry is not null) Assert.Fail($"'{line}' gives an entry and is not understood.");
            if (MlsxParser.TryParse(line, Listed.Directory, out var listed, out _) && listed.Path.Length == 0)
                Assert.Fail($"'{line}' gives an entry without a path.");
        }
    }

    private static string Octal(RemoteEntry entry) => Convert.ToString((int)entry.Mode!, 8);

    private static string Print(RemoteEntry entry)
    {
        var type = entry.Type switch { RemoteEntryType.Directory => 'd', RemoteEntryType.Link => 'l', _ => '-' };
        var bits = (int)entry.Mode!;
        var permissions = string.Concat(Enumerable.Range(0, 9).Select(i => (bits & (256 >> i)) == 0 ? '-' : "rwx"[i % 3]));
        var modified = entry.Modified!.Value;
        var date = modified.TimeOfDay == TimeSpan.Zero
            ? modified.ToString("MMM dd  yyyy", CultureInfo.InvariantCulture) : modified.ToString("MMM dd HH:mm",
                CultureInfo.InvariantCulture);
        var target = entry.LinkTarget is null ? "" : " -> " + entry.LinkTarget;
        return $"{type}{permissions}   1 {entry.Owner,-8} {entry.Group,-8} {entry.Length,8} {date} {entry.Name}{target}";
    }

    /// <summary>Old ones have a date, recent ones a time too, as in ls.</summary>
    private static Arbitrary<RemoteEntry> Entries() =>
        (from type in Gen.Elements(RemoteEntryType.File, RemoteEntryType.Directory, RemoteEntryType.Link)
         from length in Gen.Choose(0, int.MaxValue)
         from recent in Gen.Elements(true, false)
         from age in recent ? Gen.Choose(0, 60 * 24 * 180) : Gen.Choose(181, 20_000)
         from mode in Gen.Choose(0, 511)
         from owner in Gen.Elements("alice", "1000", "root", "www-data")
         from ownGroup in Gen.Elements("users", "100", "wheel")
         from name in Names()
         from target in Names()
         let time = recent ? Listed.Context.Now.AddMinutes(-age) : new DateTimeOffset(Listed.Context.Now.Date, TimeSpan.Zero).AddDays(-age)
         where !recent || time.TimeOfDay != TimeSpan.Zero
         select new RemoteEntry
         {
             Path = Listed.Directory + "/" + name,
             Type = type,
             Length = length,
             Modified = time,
             Mode = (UnixFileMode)mode,
             Owner = owner,
             Group = ownGroup,
             LinkTarget = type == RemoteEntryType.Link ? target : null,
         }).ToArbitrary();

    private static Gen<string> Names() =>
        Gen.Elements("a", "b.txt", " ", "  ", "-", "1", "10:22", "2024", "Mar", "\u00E9", "\u65E5", "\U0001F340", "\uDCFF", "->", "[", "=",
            ".", "<DIR>", "'", "\\")
            .NonEmptyListOf().Select(parts => string.Concat(parts)).Where(
                name => !name.Contains(" -> ", StringComparison.Ordinal) && !name.EndsWith(" ->", StringComparison.Ordinal));
}
