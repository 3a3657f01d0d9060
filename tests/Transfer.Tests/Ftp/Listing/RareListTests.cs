namespace Transfer.Tests.Ftp.Listing;

public sealed class RareListTests
{
    [TestCase("File         Code             EOF  Last Modification    Owner  RWEP", Listed.Nothing)]
    [TestCase("NOTES         101            2048   9-Sep-19 07:05:30  20, 4 \"ooco\"", "file 2048 2019-09-09T07:05:30Z ? 20, 4 [NOTES]")]
    [TestCase("LEDGER  0  O  81920 14-Feb-99 23:59:01 255,255 \"nunu\"", "file 81920 1999-02-14T23:59:01Z ? 255,255 [LEDGER]")]
    [TestCase("NOTES         101            2048   9-Sep-19 07:05:30  20, 4", Listed.NotUnderstood)]
    public void NonStop(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("PROFILE  EXEC     V         72         41          1 2011-03-09 16:20:05 ALI191",
        "file ? 2011-03-09T16:20:05Z ? ALI191 [PROFILE.EXEC]")]
    [TestCase("TABLE    DATA     F         80         12          1 3/19/98 6:20:05 ALI191",
        "file 960 1998-03-19T06:20:05Z ? ALI191 [TABLE.DATA]")]
    [TestCase("REPORTS  DIR      -          -          -          - 2011-03-09 16:20:05 -", "dir ? 2011-03-09T16:20:05Z ? ? [REPORTS]")]
    [TestCase("05/23/2010 13:38:19 F          1      65758 'ten.file'", "file 65758 2010-05-23T13:38:19Z ? ? [ten.file]")]
    [TestCase("05/23/2010 13:38:19 D          2          - 'sub dir'", "dir ? 2010-05-23T13:38:19Z ? ? [sub dir]")]
    [TestCase("PROFILE  EXEC     X         72         41          1 2011-03-09 16:20:05 ALI191", Listed.NotUnderstood)]
    [TestCase("PROFILE  EXEC     V         72         41          1 2011-03-09", Listed.NotUnderstood)]
    public void Z_vm(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("4096  Jul 09, 2001 18:30 read me.txt", "file 4096 2001-07-09T18:30:00Z ? ? [read me.txt]")]
    [TestCase("0  Jul 09, 2001 18:30 sub/", "dir ? 2001-07-09T18:30:00Z ? ? [sub]")]
    [TestCase("-rwxr-xr-x    1 alice users     9 Jul 09, 2001 18:30 new", "file 9 2001-07-09T18:30:00Z 755 alice [new]")]
    [TestCase("4096  Jul 09 2001 18:30 no comma", Listed.NotUnderstood)]
    public void VShell(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("  size          date       time       name", Listed.Nothing)]
    [TestCase("     512    Jul-09-2001  18:30:12   boot.bin", "file 512 2001-07-09T18:30:12Z ? ? [boot.bin]")]
    [TestCase("    2048    Jul-09-2001  18:30:12   logs              <DIR>", "dir ? 2001-07-09T18:30:12Z ? ? [logs]")]
    public void VxWorks(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("Directory of /dd 08:15:00", Listed.Nothing)]
    [TestCase(" Owner    Last modified   Attributes Sector Bytecount Name", Listed.Nothing)]
    [TestCase("  1.5    99/11/02 0915    ----r-wr    1A2F      3300 startup", "file 3300 1999-11-02T09:15:00Z 604 1.5 [startup]")]
    [TestCase("  0.0    05/01/30 2359    d-ewrewr      20       512 CMDS", "dir 512 2005-01-30T23:59:00Z 707 0.0 [CMDS]")]
    [TestCase("  0.0    05/01/30 2360    d-ewrewr      20       512 CMDS", Listed.NotUnderstood)]
    [TestCase("  0.0    05/01/30 2359    x-ewrewr      20       512 CMDS", Listed.NotUnderstood)]
    public void Os9(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [Test]
    public void A_line_under_a_header_is_none_elsewhere()
    {
        var under = Listed.ParseAll(["  size          date       time       name", "--------       ------     ------    --------"]);

        Assert.That(under, Is.EqualTo(new[] { Listed.Nothing, Listed.Nothing }));
        Assert.That(Listed.Parse("--------       ------     ------    --------"), Is.EqualTo(Listed.NotUnderstood));
    }

    [TestCase("boot.exe       1014  07/09/01  Mon.   18:30:12", "file 1014 2001-07-09T18:30:12Z ? ? [boot.exe]")]
    [TestCase("boot.exe       1014  07/09/01  18:30:12", Listed.NotUnderstood)]
    public void Routers(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("0100640   500  101   77    1000000000       notes.txt", "file 77 2001-09-09T01:46:40Z 640 500 [notes.txt]")]
    [TestCase("0040755   0    0     4096  1000000000       sub dir", "dir ? 2001-09-09T01:46:40Z 755 0 [sub dir]")]
    [TestCase("0120777   0    0     4     1000000000       link", "link ? 2001-09-09T01:46:40Z 777 0 [link]")]
    [TestCase("0100640   500  101   77    soon             notes.txt", Listed.NotUnderstood)]
    public void Unix_in_numbers(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("-A--R-----FTP A MBOX7        311     5120 Feb 12 13:56 STATEMENT", "file 5120 2024-02-12T13:56:00Z ? MBOX7 [STATEMENT]")]
    [TestCase("-A--R-----FTP A MBOX7", Listed.NotUnderstood)]
    public void Connect_enterprise(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("  393222    8 -rw-r--r--   1 alice    users     12 Mar  5 10:22 inode", "file 12 2024-03-05T10:22:00Z 644 alice [inode]")]
    [TestCase("    8 drwxr-xr-x   1 alice    users     12 Mar  5 10:22 blocks", "dir 12 2024-03-05T10:22:00Z 755 alice [blocks]")]
    [TestCase("-rw-r--r--\t1\talice\tusers\t12\tMar\t5\t10:22\ttabs", "file 12 2024-03-05T10:22:00Z 644 alice [tabs]")]
    [TestCase("-rw-r--r--   1 alice    users  33.5k Mar  5 10:22 k", "file 34304 2024-03-05T10:22:00Z 644 alice [k]")]
    [TestCase("-rw-r--r--   1 alice    users  2MB Mar  5 10:22 MB", "file 2097152 2024-03-05T10:22:00Z 644 alice [MB]")]
    [TestCase("-rw-r--r--   1 alice    users  12 24-04-2003 17:12 day first", "file 12 2003-04-24T17:12:00Z 644 alice [day first]")]
    [TestCase("-rw-r--r--   1 alice    users  12 2003/04/24 17:12 slashes", "file 12 2003-04-24T17:12:00Z 644 alice [slashes]")]
    [TestCase("-rw-r--r--   1 alice    users  12 2003.04.24       dots", "file 12 2003-04-24T00:00:00Z 644 alice [dots]")]
    [TestCase("-rw-r--r--   1 alice    users  12 09-26 2003 no time", "file 12 2003-09-26T00:00:00Z 644 alice [no time]")]
    [TestCase("-rw-r--r--   1 alice    users  12 3 29 03:26 numbers", "file 12 2024-03-29T03:26:00Z 644 alice [numbers]")]
    [TestCase("-rw-r--r--   1 alice    users  12 05-mar-99 joined", "file 12 1999-03-05T00:00:00Z 644 alice [joined]")]
    [TestCase("-rw-r--r--   1 alice    users  12 2019년  3월  5일 year first", "file 12 2019-03-05T00:00:00Z 644 alice [year first]")]
    [TestCase("-rw-r--r--   1 alice    500  2004 3月  5 10:22 no year", "file 2004 2024-03-05T10:22:00Z 644 alice [no year]")]
    [TestCase("-rw-r--r--   1 alice    500  2004 Mar  5 10:22 no year", "file 2004 2024-03-05T10:22:00Z 644 alice [no year]")]
    [TestCase("-rw-r--r--   1 alice    users  12 3\uDC8C\uDC8E  5\uDC93\uDCFA 2019 sign", "file 12 2019-03-05T00:00:00Z 644 alice [sign]")]
    [TestCase("-rw-r--r--   1 alice    users  12 5. Dez., 10:22 points", "file 12 2023-12-05T10:22:00Z 644 alice [points]")]
    [TestCase("-rw-r--r--   1 alice    users  12 Apr  4 24:00 midnight", "file 12 2024-04-05T00:00:00Z 644 alice [midnight]")]
    [TestCase("   -rw-r--r--   1 alice    users  12 Mar  5 10:22 indented", "file 12 2024-03-05T10:22:00Z 644 alice [indented]")]
    [TestCase("drwxr-x   2       10     4096 Mar  5 10:22 no others", "dir 4096 2024-03-05T10:22:00Z 750 10 [no others]")]
    [TestCase("-rwxr-s   2       10     4096 Mar  5 10:22 group", "file 4096 2024-03-05T10:22:00Z 2750 10 [group]")]
    [TestCase("drw-r--rw   1 alice    users  12 Mar  5 10:22 cut", "dir 12 2024-03-05T10:22:00Z ? alice [cut]")]
    [TestCase("-rw-r--r--   1 alice    users  12 Mar  5 10:7 minute", "file 12 2024-03-05T10:07:00Z 644 alice [minute]")]
    [TestCase("-rw-r--r--   1 alice    users  12 2019-03-05  3:1 minutes", "file 12 2019-03-05T00:00:00Z 644 alice [3:1 minutes]")]
    [TestCase("-rw-r--r--   1 alice    users  12 Mar  5 10: never", Listed.NotUnderstood)]
    [TestCase("ar--r--r--   1 alice    users  12 Mar  5 10:22 append only", "file 12 2024-03-05T10:22:00Z 444 alice [append only]")]
    [TestCase("-rw-r--r--   1 alice    users  -2147480000 Mar  5 10:22 32 bits", "file ? 2024-03-05T10:22:00Z 644 alice [32 bits]")]
    [TestCase("-rw-r--r--   1 alice    users  12- Mar  5 10:22 never", Listed.NotUnderstood)]
    [TestCase("-rw-r--r--   1 alice accounting77 Mar  5 10:22 joined", "file ? 2024-03-05T10:22:00Z 644 alice [joined]")]
    [TestCase("-rw-r--r--   alice accounting77 Mar  5 10:22 joined", "file ? 2024-03-05T10:22:00Z 644 alice [joined]")]
    [TestCase("-rw-r--r-- alice report7 2024-01-05 final.txt", Listed.NotUnderstood)]
    [TestCase("-rw-r--r--   1 team7 crew9  12 Mar  5 10:22 digits", "file 12 2024-03-05T10:22:00Z 644 team7 [digits]")]
    [TestCase("-rw-r--r--   1 alice    users  no size name7 Mar  5 10:22 never", Listed.NotUnderstood)]
    [TestCase("-rw-r--r--   1 alice    users  12 no date", Listed.NotUnderstood)]
    [TestCase("-rw-r--r--   1 alice    users  12 Mar 5 1999  wide year", "file 12 1999-03-05T00:00:00Z 644 alice [wide year]")]
    [TestCase("-rw-r--r--   1 alice    users  12 Mar 5 1999   leading", "file 12 1999-03-05T00:00:00Z 644 alice [ leading]")]
    [TestCase("-rw-r--r--   1 alice    users  12 Apr  4 24:01 never", Listed.NotUnderstood)]
    [TestCase("-rw-r--r--   1 alice    users  12 31-31-2003 17:12 never", Listed.NotUnderstood)]
    public void Unix(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("05 szept", "2023-09-05")]
    [TestCase("máj  5", "2024-05-05")]
    [TestCase("iul  5", "2023-07-05")]
    [TestCase("Haz  5", "2024-06-05")]
    [TestCase("Kas  5", "2023-11-05")]
    [TestCase("лис  5", "2023-11-05")]
    [TestCase("Αυγ  5", "2023-08-05")]
    [TestCase("maig  5", "2024-05-05")]
    public void Months(string date, string expected) =>
        Assert.That(Listed.Parse($"-rw-r--r-- 1 alice users 10 {date} 10:22 x"), Is.EqualTo($"file 10 {expected}T10:22:00Z 644 alice [x]"));

    [TestCase("2024/03/05  下午 02:07                 10 after", "file 10 2024-03-05T14:07:00Z ? ? [after]")]
    [TestCase("2024/03/05  오전 12:07                 10 before", "file 10 2024-03-05T00:07:00Z ? ? [before]")]
    [TestCase("03/25/2021  2:07 p.m.                 10 points", "file 10 2021-03-25T14:07:00Z ? ? [points]")]
    [TestCase("03/25/2021  2:07p                 10 short", "file 10 2021-03-25T14:07:00Z ? ? [short]")]
    public void Halves_of_the_day(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    // Take Command, and cmd beside it: sizes end in other columns.
    [TestCase(" 7/14/2018   9:09 PM  <DIR>         sub dir", "dir ? 2018-07-14T21:09:00Z ? ? [sub dir]")]
    [TestCase(" 7/14/2018   9:09 AM         1,234  notes.txt", "file 1234 2018-07-14T09:09:00Z ? ? [notes.txt]")]
    [TestCase(" 7/14/2018   9:09 AM    12,345,678,901  big.img", "file 12345678901 2018-07-14T09:09:00Z ? ? [big.img]")]
    [TestCase(" 7/14/2018   9:09 AM     1,234 notes.txt", "file 1234 2018-07-14T09:09:00Z ? ? [notes.txt]")]
    [TestCase("07/14/2018  09:09 AM             1,234  leading", "file 1234 2018-07-14T09:09:00Z ? ? [ leading]")]
    [TestCase("            6 files           75,978 bytes", Listed.Nothing)]
    [TestCase("            3 directories     22,198 bytes free", Listed.Nothing)]
    [TestCase("            1 file            75,978 bytes", Listed.Nothing)]
    [TestCase("            3 files and more", Listed.NotUnderstood)]
    public void Dir(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    // The sizes of large files end where those of cmd do.
    [TestCase("11/29/2018  11:46 AM  <DIR>         .", "11/29/2018  11:46 AM    34,359,738,368  large.img", "large.img")]
    [TestCase(" 9/29/2018   7:46 AM         1,234  b.txt", "11/29/2018  11:46 AM    34,359,738,368  large.img", "large.img")]
    [TestCase("29.11.2018  21:46  <DIR>         .", "29.11.2018  21:46         1,234  notes.txt", "notes.txt")]
    [TestCase("11/29/2018  11:46 AM    <DIR>          .", "11/29/2018  11:46 AM    34,359,738,368  large.img", " large.img")]
    public void Take_Command_has_two_spaces_in_front_of_each_name(string first, string line, string name) =>
        Assert.That(Listed.ParseAll([first, line])[1], Does.EndWith($"[{name}]"));

    [Test]
    public void The_length_of_a_forked_file_is_compared_with_nothing()
    {
        var parser = new Transfer.Ftp.Listing.ListParser();

        parser.TryParse("-rw-r--r--   300   1200   1500 Mar  5 10:22 forks", Listed.Context, Listed.Directory, out var forks);
        parser.TryParse("-rw-r--r--   1 1200   1500 Mar  5 10:22 plain", Listed.Context, Listed.Directory, out var plain);

        Assert.That(forks!.IsLengthApproximate, Is.True);
        Assert.That(plain!.IsLengthApproximate, Is.False);
    }

    [Test]
    public void A_tab_may_end_the_facts()
    {
        Assert.That(Transfer.Ftp.Listing.MlsxParser.TryParse("type=file;size=5;\ta 1 b", "/pub", out var entry, out _), Is.True);
        Assert.That(Listed.Describe(entry!), Is.EqualTo("file 5 ? ? ? [a 1 b]"));
    }
}
