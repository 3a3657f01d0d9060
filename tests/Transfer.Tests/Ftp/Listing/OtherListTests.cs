namespace Transfer.Tests.Ftp.Listing;

public sealed class OtherListTests
{
    // IIS and dir.
    [TestCase("02-23-05  09:24AM       <DIR>          Folder", "dir ? 2005-02-23T09:24:00Z ? ? [Folder]")]
    [TestCase("02-23-05  09:24PM                 1589 read me.htm", "file 1589 2005-02-23T21:24:00Z ? ? [read me.htm]")]
    [TestCase("02-23-2005  12:00AM                 1589 midnight", "file 1589 2005-02-23T00:00:00Z ? ? [midnight]")]
    [TestCase("02-23-2005  12:30PM                 1589 noon", "file 1589 2005-02-23T12:30:00Z ? ? [noon]")]
    [TestCase("02-23-99  09:24AM                 1589 last century", "file 1589 1999-02-23T09:24:00Z ? ? [last century]")]
    [TestCase("02-23-05  09:24AM                 1589  leading", "file 1589 2005-02-23T09:24:00Z ? ? [ leading]")]
    [TestCase("02-23-05  09:24AM                 1589 trailing ", "file 1589 2005-02-23T09:24:00Z ? ? [trailing ]")]
    [TestCase("02-23-05  09:24AM       <DIR>           leading", "dir ? 2005-02-23T09:24:00Z ? ? [ leading]")]
    [TestCase("02-23-05  09:24AM  <DIR>  odd columns", "dir ? 2005-02-23T09:24:00Z ? ? [odd columns]")]
    [TestCase("02-23-05  09:24AM       <DIR> short", "dir ? 2005-02-23T09:24:00Z ? ? [short]")]
    [TestCase("2005-02-23  09:24AM       <DIR>          iso", "dir ? 2005-02-23T09:24:00Z ? ? [iso]")]
    [TestCase("2005-02-23  17:24                 1589 iso", "file 1589 2005-02-23T17:24:00Z ? ? [iso]")]
    [TestCase("2005-02-23  17:24    <DIR>          iso", "dir ? 2005-02-23T17:24:00Z ? ? [iso]")]
    [TestCase("2005/02/23  17:24                 1589 slashes", "file 1589 2005-02-23T17:24:00Z ? ? [slashes]")]
    [TestCase("23.02.2005  17:24             1.234.567 punkt.txt", "file 1234567 2005-02-23T17:24:00Z ? ? [punkt.txt]")]
    [TestCase("03.02.05  17:24    <DIR>          tag zuerst", "dir ? 2005-02-03T17:24:00Z ? ? [tag zuerst]")]
    [TestCase("02/23/2005  09:24 PM         1,234,567 commas.txt", "file 1234567 2005-02-23T21:24:00Z ? ? [commas.txt]")]
    [TestCase("23/02/2005  09:24 am    <DIR>          swapped", "dir ? 2005-02-23T09:24:00Z ? ? [swapped]")]
    [TestCase("02-23-05  09:24:59AM                 1589 seconds", "file 1589 2005-02-23T09:24:59Z ? ? [seconds]")]
    [TestCase("02-23-05  09:24A                 1589 one letter", "file 1589 2005-02-23T09:24:00Z ? ? [one letter]")]
    [TestCase("02-23-05  09:24AM       <JUNCTION>     Users [C:\\Users]", "link ? 2005-02-23T09:24:00Z ? ? [Users] -> C:\\Users")]
    [TestCase("02-23-05  09:24AM       <A-TAG-LONGER-THAN-ITS-COLUMN>  x", "other ? 2005-02-23T09:24:00Z ? ? [x]")]
    [TestCase("02-23-05  09:24AM       <SYMLINKD>     dir link [\\??\\D:\\a b]",
        "link ? 2005-02-23T09:24:00Z ? ? [dir link] -> \\??\\D:\\a b")]
    [TestCase("02-23-05  09:24AM       <SYMLINK>      file [x]", "link ? 2005-02-23T09:24:00Z ? ? [file] -> x")]
    [TestCase("02-23-05  09:24AM       <DIR>          not [a link]", "dir ? 2005-02-23T09:24:00Z ? ? [not [a link]]")]
    [TestCase("02-23-05  09:24AM                 1589 drwxr-xr-x 1 a b 3 Mar 5 10:22 x",
        "file 1589 2005-02-23T09:24:00Z ? ? [drwxr-xr-x 1 a b 3 Mar 5 10:22 x]")]
    [TestCase("02-23-05  09:24AM           8589934592 big", "file 8589934592 2005-02-23T09:24:00Z ? ? [big]")]
    [TestCase("13-32-05  09:24AM                 1589 x", Listed.NotUnderstood)]
    [TestCase("02-23-05  29:24AM                 1589 x", Listed.NotUnderstood)]
    [TestCase("02-23-05  09:24AM                 1589", Listed.NotUnderstood)]
    [TestCase("02-23-05  09:24AM       <DIR>          ", Listed.NotUnderstood)]
    [TestCase("02-23-05  09:24AM                 1589   ", Listed.NotUnderstood)]
    [TestCase("02-23-05  09:24AM       99999999999999999999 x", Listed.NotUnderstood)]
    public void Windows(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("+i77.501,m1000000000,r,s77,\tnotes.txt", "file 77 2001-09-09T01:46:40Z ? ? [notes.txt]")]
    [TestCase("+i77.502,m1000000001,/,\tsub", "dir ? 2001-09-09T01:46:41Z ? ? [sub]")]
    [TestCase("+i77.503,m1000000002,r,s78,up644,\t spaces ", "file 78 2001-09-09T01:46:42Z 644 ? [ spaces ]")]
    [TestCase("+,\tbare", "file ? ? ? ? [bare]")]
    [TestCase("+\tbare", "file ? ? ? ? [bare]")]
    [TestCase("+r,s5,\ttab\tin name", "file 5 ? ? ? [tab\tin name]")]
    [TestCase("+m999999999999999999,s99999999999999999999,r,up9,\tout of range", "file ? ? ? ? [out of range]")]
    [TestCase("+r,s5, no tab", Listed.NotUnderstood)]
    [TestCase("+r,s5,\t", Listed.NotUnderstood)]
    public void Eplf(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("d [R----F--] alice                 512       Mar  5 10:22    sub", "dir 512 2024-03-05T10:22:00Z ? alice [sub]")]
    [TestCase("- [RWCEAFMS] bob                99077       Oct 21 11:05    notes.doc", "file 99077 2023-10-21T11:05:00Z ? bob [notes.doc]")]
    [TestCase("- [RWCEAFMS] bob                   500       Oct 20  1999    read me.txt",
        "file 500 1999-10-20T00:00:00Z ? bob [read me.txt]")]
    [TestCase("d[--------] 1 bob                   512 Oct 20  1999 sub", "dir 512 1999-10-20T00:00:00Z ? bob [sub]")]
    [TestCase("d [R----X--] alice                 512       Mar  5 10:22    sub", Listed.NotUnderstood)]
    [TestCase("d [R----F--] alice                 512       Mar  5 10:22    ", Listed.NotUnderstood)]
    [TestCase("d [R----F--", Listed.NotUnderstood)]
    public void NetWare(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("                 0           DIR   05-12-97   16:44  FONTS", "dir ? 1997-05-12T16:44:00Z ? ? [FONTS]")]
    [TestCase("             36611      A          04-23-103  10:57  year 103.file", "file 36611 2003-04-23T10:57:00Z ? ? [year 103.file]")]
    [TestCase("              1123                 07-14-99   12:37  plain.file", "file 1123 1999-07-14T12:37:00Z ? ? [plain.file]")]
    [TestCase("              1123    RHSA         23-07-99   12:37  day first", "file 1123 1999-07-23T12:37:00Z ? ? [day first]")]
    [TestCase("              1123      A   DIR    07-14-2004   12:37   leading", "dir ? 2004-07-14T12:37:00Z ? ? [ leading]")]
    [TestCase("              1123      XYZ        07-14-99   12:37  x", Listed.NotUnderstood)]
    [TestCase("              1123      A          07-14-99   12:37", Listed.NotUnderstood)]
    public void Os2(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [TestCase("README.TXT;1         2/3    30-DEC-1996 17:44 [SYSTEM] (RWED,RWED,RE,RE)",
        "file ? 1996-12-30T17:44:00Z ? SYSTEM [README.TXT]")]
    [TestCase("MANUAL.TEX;12  213/216  29-JAN-1996 03:33:12  [GROUP,ALICE]   (RWED,RWED,,)",
        "file ? 1996-01-29T03:33:12Z ? GROUP,ALICE [MANUAL.TEX]")]
    [TestCase("SUB.DIR;1   1  2-JAN-1996 03:33:12.45  [ALICE]  (RWE,RWE,RE,)", "dir ? 1996-01-02T03:33:12.45Z ? ALICE [SUB]")]
    [TestCase("NOBLOCKS.TXT;1   2-JAN-1996 03:33", "file ? 1996-01-02T03:33:00Z ? ? [NOBLOCKS.TXT]")]
    [TestCase("OWNED.TXT;1  [ALICE]   1/3    2-JAN-1996 03:33  (RWE,RWE,RE,)", "file ? 1996-01-02T03:33:00Z ? ALICE [OWNED.TXT]")]
    [TestCase("BYTES.TXT;1   2KB  2-JAN-1996 03:33:07.27", "file ? 1996-01-02T03:33:07.27Z ? ? [BYTES.TXT]")]
    [TestCase("NOTIME.TXT;1   5  2-JAN-1996", "file ? 1996-01-02T00:00:00Z ? ? [NOTIME.TXT]")]
    [TestCase("WIDE.ISO;2   ******  2-JAN-1996 03:33 [ALICE] (RWED,RWED,RE,)", "file ? 1996-01-02T03:33:00Z ? ALICE [WIDE.ISO]")]
    [TestCase("ETE.TXT;1   5/6  2-JUI-1996 03:33", "file ? 1996-07-02T03:33:00Z ? ? [ETE.TXT]")]
    [TestCase("SECRET.DAT;1   %RMS-E-PRV, insufficient privilege or file protection violation", "file ? ? ? ? [SECRET.DAT]")]
    [TestCase("SECRET.DAT;1   no privilege for attempted operation", "file ? ? ? ? [SECRET.DAT]")]
    [TestCase("Directory SYS$SYSDEVICE:[ANONYMOUS]", Listed.Nothing)]
    [TestCase("Total of 11 files, 214/231 blocks.", Listed.Nothing)]
    [TestCase("Grand total of 1 directory, 11 files, 214/231 blocks.", Listed.Nothing)]
    [TestCase("LONG.TXT;x   5  2-JAN-1996 03:33", Listed.NotUnderstood)]
    [TestCase("A.TXT;1   5  32-JAN-1996 03:33", Listed.NotUnderstood)]
    public void Vms(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [Test]
    public void Vms_columns_may_follow_on_the_next_line()
    {
        var lines = Listed.ParseAll(
        [
            "",
            "Directory DISK$USER:[ALICE]",
            "",
            "A_VERY_LONG_NAME_INDEED_FOR_A_FILE.TXT;3",
            "                     12/15   2-JAN-1996 03:33:12  [ALICE]  (RWED,RWED,RE,)",
            "NEXT.TXT;1  5/6  2-JAN-1996 03:33:12  [ALICE]  (RWED,RWED,RE,)",
            "",
            "Total of 2 files, 17/21 blocks.",
        ]);

        Assert.That(lines, Is.EqualTo(new[]
        {
            Listed.Nothing, Listed.Nothing, Listed.Nothing, Listed.Nothing,
            "file ? 1996-01-02T03:33:12Z ? ALICE [A_VERY_LONG_NAME_INDEED_FOR_A_FILE.TXT]",
            "file ? 1996-01-02T03:33:12Z ? ALICE [NEXT.TXT]",
            Listed.Nothing, Listed.Nothing,
        }));
    }

    [Test]
    public void A_vms_name_whose_columns_never_come_does_not_swallow_the_next_line()
    {
        var lines = Listed.ParseAll(["A.TXT;1  5/6  2-JAN-1996 03:33", "LOST.TXT;1", "B.TXT;1  5/6  2-JAN-1996 03:33"]);

        Assert.That(lines[1], Is.EqualTo(Listed.Nothing));
        Assert.That(lines[2], Is.EqualTo("file ? 1996-01-02T03:33:00Z ? ? [B.TXT]"));
    }

    [Test]
    public void Older_vms_versions_are_not_listed()
    {
        var lines = Listed.ParseAll(
        [
            "A.TXT;3  5/6  3-JAN-1996 03:33",
            "A.TXT;2",
            "   5/6  2-JAN-1996 03:33",
            "A.TXT;1  5/6  1-JAN-1996 03:33",
            "A.DIR;1  1/3  1-JAN-1996 03:33",
            "B.TXT;1  5/6  1-JAN-1996 03:33",
            "Total 5 files",
        ]);

        Assert.That(lines, Is.EqualTo(new[]
        {
            "file ? 1996-01-03T03:33:00Z ? ? [A.TXT]", Listed.Nothing, Listed.Nothing, Listed.Nothing,
            "dir ? 1996-01-01T03:33:00Z ? ? [A]",
            "file ? 1996-01-01T03:33:00Z ? ? [B.TXT]",
            Listed.Nothing,
        }));
    }

    [TestCase("Volume Unit    Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname", Listed.Nothing)]
    [TestCase("VOL001 3390   2023/05/21  1  200  FB      80  8053  PS  PROD.INPUT.FILE", "file ? ? ? ? [PROD.INPUT.FILE]")]
    [TestCase("VOL001 3390   2023/05/21  1   15  VB     256  6233  PO  PROD.SOURCE.LIB", "dir ? ? ? ? [PROD.SOURCE.LIB]")]
    [TestCase("VOL001 3390   2023/05/21  1   15  U        0 32760  PO-E PROD.LOADLIB", "dir ? ? ? ? [PROD.LOADLIB]")]
    [TestCase("VOL001 3390   **NONE**    1   15  VB     256  6233  PS  NEVER.REFERRED", "file ? ? ? ? [NEVER.REFERRED]")]
    [TestCase("VOL001 3390   2023/05/21  1 ????  U        0 32760  PS  'FULL.NAME'", "file ? ? ? ? ['FULL.NAME']")]
    [TestCase("Migrated                                                OLD.DATA", "file ? ? ? ? [OLD.DATA]")]
    [TestCase("                                              VSAM PROD.CLUSTER", "file ? ? ? ? [PROD.CLUSTER]")]
    [TestCase("                                              GDG  PROD.GENS", "dir ? ? ? ? [PROD.GENS]")]
    [TestCase("ARCIVE Not Direct Access Device                         TAPE.DATA", "file ? ? ? ? [TAPE.DATA]")]
    [TestCase("Pseudo Directory                                        PROD", "dir ? ? ? ? [PROD]")]
    [TestCase("VOL001 3390   2023/05/21  1   15  VB     256  6233  XX  PROD.X", Listed.NotUnderstood)]
    [TestCase("VOL001 3390   2023/05/21  1   15  VB     256  6233  PS  lower.case", Listed.NotUnderstood)]
    [TestCase("Error determining attributes                            PROD.LOST", "file ? ? ? ? [PROD.LOST]")]
    [TestCase("VOL002 Tape                                             PROD.TAPE", "file ? ? ? ? [PROD.TAPE]")]
    [TestCase("VOL004 3390   VSAM PROD.KSDS", "file ? ? ? ? [PROD.KSDS]")]
    [TestCase("JOBNAME  JOBID    OWNER    STATUS CLASS", Listed.Nothing)]
    [TestCase("ALICE1   JOB01906 ALICE    OUTPUT A        RC=0000  3 spool files", "file ? ? ? ALICE [JOB01906]")]
    [TestCase("ALICE1   JOB01906 OUTPUT    3 Spool Files", "file ? ? ? ? [JOB01906]")]
    [TestCase("ALICE1   JOB0190X OUTPUT    3 Spool Files", Listed.NotUnderstood)]
    public void Mvs_data_sets(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [Test]
    public void Mvs_members_with_and_without_statistics()
    {
        var lines = Listed.ParseAll(
        [
            " Name     VV.MM   Created       Changed      Size  Init   Mod   Id",
            "PAYROLL   01.03 2004/06/22 2005/07/23 16:32   128   120     8 ALICE",
            "NOSTATS",
            "X@#$",
            "lowercase",
            "TOOLONGNAME",
        ]);

        Assert.That(lines, Is.EqualTo(new[]
        {
            Listed.Nothing,
            "file ? 2005-07-23T16:32:00Z ? ALICE [PAYROLL] created 2004-06-22T00:00:00Z",
            "file ? ? ? ? [NOSTATS]",
            "file ? ? ? ? [X@#$]",
            Listed.NotUnderstood,
            Listed.NotUnderstood,
        }));
    }

    [Test]
    public void Mvs_members_of_a_load_library()
    {
        var lines = Listed.ParseAll(
        [
            " Name      Size     TTR   Alias-of AC--------- Attributes--------- Amode Rmode",
            "PROGRAM   000058   000009          00 FO             RN RU            31    ANY",
        ]);

        Assert.That(lines, Is.EqualTo(new[] { Listed.Nothing, "file ? ? ? ? [PROGRAM]" }));
    }

    [TestCase("ALICE           77824 24/02/23 15:09:55 *DIR       home/", "dir 77824 ? ? ALICE [home]")]
    [TestCase("ALICE           77824 24/02/23 15:09:55 *STMF      read me.txt", "file 77824 ? ? ALICE [read me.txt]")]
    [TestCase("QSYS            77824 99/02/23 15:09:55 *LIB       TOOLS.LIB/", "dir 77824 1999-02-23T15:09:55Z ? QSYS [TOOLS.LIB]")]
    [TestCase("QSYS            77824 99/02/23 15:09:55 *FILE      SOURCE.FILE", "dir 77824 1999-02-23T15:09:55Z ? QSYS [SOURCE.FILE]")]
    [TestCase("QSYS            77824 99/02/23 15:09:55 *FILE      SOURCE", "file 77824 1999-02-23T15:09:55Z ? QSYS [SOURCE]")]
    [TestCase("ALICE                                   *MEM       SOURCE.FILE/MAIN.MBR", "file ? ? ? ALICE [SOURCE.FILE/MAIN.MBR]")]
    [TestCase("ALICE                                   *MEM       MAIN.MBR", "file ? ? ? ALICE [MAIN.MBR]")]
    [TestCase("ALICE              10 24/02/23 15:09:55 *SYMLNK    link", "link 10 ? ? ALICE [link]")]
    [TestCase("ALICE              10 24/02/23 15:09:55 *USRSPC    space", "other 10 ? ? ALICE [space]")]
    [TestCase("ALICE              10 02/23/24 15:09:55 *STMF      month first", "file 10 2024-02-23T15:09:55Z ? ALICE [month first]")]
    [TestCase("ALICE              10 23.02.24 15:09:55 *STMF      day first", "file 10 2024-02-23T15:09:55Z ? ALICE [day first]")]
    [TestCase("ALICE              10 10/03/05 15:09:55 *STMF      any order", "file 10 ? ? ALICE [any order]")]
    [TestCase("                 5263 06/23/97 12:27:39 *FILE      SAVED", "file 5263 1997-06-23T12:27:39Z ? ? [SAVED]")]
    [TestCase("ALICE                 06/23/97 12:27:39 *FILE      SAVED", "file ? 1997-06-23T12:27:39Z ? ALICE [SAVED]")]
    [TestCase("ALICE              10 24/02/23 15:09:55 *STMF      ", Listed.NotUnderstood)]
    [TestCase("ALICE              10 24/02/23 15:09:55 STMF       x", Listed.NotUnderstood)]
    [TestCase("ALICE              xx 24/02/23 15:09:55 *STMF      x", Listed.NotUnderstood)]
    public void Ibm_i(string line, string expected) => Assert.That(Listed.Parse(line), Is.EqualTo(expected));

    [Test]
    public void The_format_may_change_within_a_listing()
    {
        var lines = Listed.ParseAll(
        [
            "02-23-05  09:24AM       <DIR>          windows",
            "drwxr-xr-x   2 alice    users        4096 Mar  5 10:22 unix",
            "+r,s5,\teplf",
            "02-23-05  09:24AM                 1589 windows",
        ]);

        Assert.That(lines, Is.EqualTo(new[]
        {
            "dir ? 2005-02-23T09:24:00Z ? ? [windows]",
            "dir 4096 2024-03-05T10:22:00Z 755 alice [unix]",
            "file 5 ? ? ? [eplf]",
            "file 1589 2005-02-23T09:24:00Z ? ? [windows]",
        }));
    }
}
