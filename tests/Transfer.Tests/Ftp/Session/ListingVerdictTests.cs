using System.Text;
using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>What an FTP server's listing is worth shows in its lines, in the end of its data and in its final reply.</summary>
public sealed class ListingVerdictTests
{
    private const string Facts = "type=file;size=3;modify=20240102030405; ";
    private const string Line = "-rw-r--r--   1 u g    3 Jan  2  2024 ";

    private static readonly FtpTestServerOptions ListOnly = new() { DisabledCommands = new HashSet<string> { "MLSD", "MLST" } };

    public static readonly TestCaseData[] Partial =
    [
        Case("MLSD cut in a name", "MLSD", $"{Facts}a\r\n{Facts}b", "its data ends inside a line"),
        Case("MLSD cut in the facts", "MLSD", $"{Facts}a\r\ntype=fi", "its data ends inside a line"),
        Case("LIST cut in a name", "LIST", $"{Line}a\r\n{Line}b", "its data ends inside a line"),
        Case("MLSD with a fact that is none", "MLSD", $"{Facts}a\r\ntype=file;size 7; b\r\n",
            "1 line was not understood (the first: type=file;size 7; b)"),
        Case("MLSD with an empty type, of what LIST does not have", "MLSD", $"{Facts}a\r\ntype=;size=7; c\r\n",
            "1 of its entries has no type"),
        Case("MLSD without a name", "MLSD", $"{Facts}a\r\ntype=file;size=7;\r\n", "1 line was not understood"),
        Case("LIST with other lines", "LIST",
            $"total 8\r\n{Line}a\r\n1.20   19/03/04 0915   ??      5A       321 b\r\nls: c: denied\r\n",
            "2 lines were not understood"),
        Case("MLSD name with a slash", "MLSD", $"{Facts}a\r\n{Facts}sub/b\r\n", "1 names hold a slash"),
        Case("LIST name with NUL", "LIST", $"{Line}a\r\n{Line}b\0c\r\n", "1 names hold a slash"),
        Case("LIST of Windows with an odd line", "LIST", "02-23-05  09:24AM  3 a\r\n02-23-05  09h24  3 b\r\n", "1 line was not understood"),
        Case("EPLF with an odd line", "LIST", "+i1.2,m824253270,r,s612,\ta\r\n+i1.2,m824253270,r,s612 b\r\n", "1 line was not understood"),
        Case("data sets with an odd line", "LIST",
            "Volume Unit    Referred Ext Used Recfm Lrecl BlkSz Dsorg Dsname\r\nVOL001 3390   2023/05/21  1  200  FB      80  8053  PS  "
            + "a.b\r\nVOL001 3390   2023/05/21  1  200  FB      80  8053  PS  A.B\r\n", "1 line was not understood"),
        Case("truncated by its own text", "MLSD", $"{Facts}a\r\n", "the server says: Output truncated to 1 matches",
            "226 Output truncated to 1 matches"),
        Case("fewer than Pure-FTPd counts", "MLSD", $"{Facts}a\r\n", "the server counts 2 entries, and 1 came", "226 2 matches total"),
        Case("fewer than Pure-FTPd counts in LIST", "LIST", $"{Line}.\r\n{Line}a\r\n", "the server counts 4 entries, and 2 came",
            "226-Options: -a -l\r\n226 4 matches total"),
        Case("truncated in a line of several", "LIST", $"{Line}a\r\n", "the server says: Output truncated to 1 matches",
            "226-Options: -l\r\n226 Output truncated to 1 matches"),
        Case("truncated in another language", "MLSD", $"{Facts}a\r\n", "the server says: Sortie tronquee",
            "226 Sortie tronquee a 1 elements"),
        Case("fewer than Pure-FTPd counts in a line before the last", "LIST", $"{Line}a\r\n", "the server counts 6 entries, and 1 came",
            "226-6 matches total\r\n226 Closing"),
        Case("limited by its own text", "LIST", $"{Line}a\r\n", "the server says: Directory listing limited to 1 entries",
            "226 Directory listing limited to 1 entries"),
        Case("limited with a maximum", "MLSD", $"{Facts}a\r\n", "the server says: Maximum number of entries reached",
            "226 Maximum number of entries reached"),
        Case("limited in a line before the last", "MLSD", $"{Facts}a\r\n", "the server says: File limit exceeded",
            "226-File limit exceeded\r\n226 Transfer complete."),
        Case("partial by its own text", "LIST", $"{Line}a\r\n", "the server says: Directory send OK (partial)",
            "226 Directory send OK (partial)."),
        Case("a part of a count", "MLSD", $"{Facts}a\r\n", "the server says: 1 of 6 entries", "226-Options: -l\r\n226 1 of 6 entries"),
        Case("a part of a count in other words", "LIST", $"{Line}a\r\n", "the server says: Displayed 3 out of 6 files",
            "226 Displayed 3 out of 6 files"),
        Case("not read to its end", "LIST", $"{Line}a\r\n", "the server says: Transfer complete (read error)",
            "226 Transfer complete (read error)."),
        Case("stopped", "MLSD", $"{Facts}a\r\n", "the server says: Directory listing stopped", "226 Directory listing stopped"),
        Case("could not be opened", "LIST", $"{Line}a\r\n", "the server says: Transfer done",
            "226 Transfer done (but failed to open directory)."),
    ];

    public static readonly TestCaseData[] Complete =
    [
        Case("MLSD", "MLSD", $"type=cdir; .\r\ntype=pdir; ..\r\n{Facts}a\r\n"),
        Case("MLSD with cdir and pdir by path", "MLSD", $"type=cdir; /d\r\ntype=pdir; /\r\n{Facts}a\r\n"),
        Case("LIST with a total, dots and empty lines", "LIST", $"total 8\r\ndrwxr-xr-x 2 u g 3 Jan  2  2024 .\r\n{Line}a\r\n\r\n"),
        Case("LIST with a total in another language", "LIST", $"insgesamt 8\r\n{Line}a\r\n"),
        Case("LIST of VMS with its frame", "LIST",
            "Directory DISK:[D]\r\n\r\nA.TXT;1  5/6  2-JAN-1996 03:33\r\n\r\nTotal of 1 file, 5/6 blocks\r\n"),
        Case("LIST as dir prints it", "LIST",
            " Volume in drive C is SYSTEM\r\n Volume Serial Number is 1A2B-3C4D\r\n\r\n Directory of C:\\d\r\n\r\n02-23-05  09:24AM    "
            + "3 a\r\n       1 File(s)      3 bytes\r\n       0 Dir(s)  12,345 bytes free\r\n"),
        Case("a path that holds the word", "MLSD", $"{Facts}a\r\n", null, "226 Listing of \"/home/truncated\" done"),
        Case("a limit that is none", "MLSD", $"{Facts}a\r\n", null,
            "226-Maximum disk quota limited to Unlimited kBytes\r\n226 Transfer complete."),
        Case("a limit of the disk", "LIST", $"{Line}a\r\n", null,
            "226-Maximum disk quota limited to 100000 Kbytes\r\n    Used disk quota 78232 Kbytes, available 21767 Kbytes\r\n"
            + "226 Transfer complete."),
        Case("a limit of the rate", "LIST", $"{Line}a\r\n", null, "226 Directory listing sent, speed limited to 100 KB/s"),
        Case("all of a count", "LIST", $"{Line}a\r\n", null, "226 1 of 1 entries"),
        Case("all of a count in other words", "LIST", $"{Line}a\r\n", null, "226 Displayed 1 out of 1 files"),
        Case("a number of files", "LIST", $"{Line}a\r\n", null, "226-Directory has 9,216 bytes of disk space available\r\n226 Done."),
        Case("options and the number of matches", "LIST", $"drwxr-xr-x 2 u g 3 Jan  2  2024 .\r\n{Line}a\r\n", null,
            "226-Options: -a -l \r\n226 2 matches total"),
        Case("vsftpd's", "LIST", $"{Line}a\r\n", null, "226 Directory send OK."),
        Case("Serv-U's", "LIST", $"{Line}a\r\n", null, "226 Transfer complete. 4,096 bytes transferred. 4.00 KB/sec."),
        Case("z/OS's", "LIST", $"{Line}a\r\n", null, "250 List completed successfully."),
        Case("FileZilla Server's", "MLSD", $"{Facts}a\r\n", null, "226 Operation successful"),
        Case("nothing but the folder", "MLSD", "type=cdir; .\r\n"),
        Case("as many as Pure-FTPd counts", "MLSD", $"type=cdir; .\r\n{Facts}a\r\n", null, "226 2 matches total"),
        Case("a number that counts no lines", "MLSD", $"{Facts}a\r\n", null, "226 4096 bytes sent"),
        Case("nothing by LIST", "LIST", ""),
    ];

    [TestCaseSource(nameof(Partial))]
    public async Task A_listing_that_lacks_entries_gives_the_others_and_says_why_it_is_partial(string verb, string data, string? reason,
        string? final)
    {
        await using var ftp = await StartAsync(verb, data, final);
        var names = new List<string>();
        var error = await FtpHarness.FailsAsync(async () =>
        {
            await foreach (var entry in ftp.Client.ListAsync("/d")) names.Add(entry.Name.ToLowerInvariant());
        });
        Assert.That(error.Error, Is.EqualTo(TransferError.Partial), error.Message);
        Assert.That(error.Message, Does.Contain(reason!));
        Assert.That(names, Has.Count.EqualTo(1));
        ftp.Server.Faults.Clear();
        Assert.That(await ftp.Client.ListAsync("/d").CountAsync(), Is.EqualTo(2));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), "the session went on");
    }

    [TestCaseSource(nameof(Complete))]
    public async Task A_listing_that_has_all_is_complete(string verb, string data, string? reason, string? final)
    {
        await using var ftp = await StartAsync(verb, data, final);
        Assert.That(reason, Is.Null);
        Assert.That(await ftp.Client.ListAsync("/d").CountAsync(), Is.EqualTo(data is "" or "type=cdir; .\r\n" ? 0 : 1));
    }

    [TestCase("MLSD")]
    [TestCase("LIST")]
    public async Task A_listing_of_which_no_line_is_understood_is_an_error(string verb)
    {
        await using var ftp = await StartAsync(verb,
            "Folder of . 08:15:00\r\n1.20   19/03/04 0915   ??      5A       321 .login\r\n", null);
        // Behind LIST, bare names are asked for.
        ftp.Server.Faults.Reply("NLST", "502 No such command.");
        if (verb == "MLSD") ftp.Server.Faults.Reply("LIST", "502 No such command.");
        var error = await FtpHarness.FailsAsync(async () => await ftp.Client.ListAsync("/d").CountAsync());
        Assert.That((error.Error, error is TransferConnectionException), Is.EqualTo((TransferError.Unsupported, false)));
        Assert.That(error.Message, Does.Contain("Folder of"));
    }

    [TestCase("MLSD", "garbage\r\n", "more lines without an entry")]
    [TestCase("LIST", "-rw-r--r--   1 u g    3 Jan  2  2024 a/b\r\n", "more lines without an entry")]
    [TestCase("NLST", "\0\r\n", "take more memory")]
    [TestCase("NLST", "\r\n", "take more memory")]
    public async Task Lines_that_give_no_entry_count_in_the_budget_of_names(string verb, string line, string why)
    {
        var server = verb == "MLSD" ? null : ListOnly;
        if (verb == "NLST") server = new() { DisabledCommands = new HashSet<string> { "MLSD", "MLST", "LIST" } };
        await using var ftp = await FtpHarness.StartAsync(server, FtpHarness.Options with { MaxListingBytes = 5000 });
        ftp.Store.AddFile("/d/a", "xyz"u8);
        ftp.Server.Faults.SendData(verb, Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat(line, 6000))), times: 99);
        var error = await FtpHarness.FailsAsync(async () => await ftp.Client.ListAsync("/d").CountAsync());
        Assert.That(error.Error, Is.EqualTo(TransferError.Partial), error.Message);
        Assert.That(error.Message, Does.Contain(why).And.Contain("--max-listing"));
        ftp.Server.Faults.Clear();
        Assert.That(await ftp.Client.ListAsync("/d").CountAsync(), Is.EqualTo(1));
    }

    [TestCase("type=;size=3; a\r\ntype=;size=3; b\r\n")]
    [TestCase("what is that?\r\n")]
    public async Task LIST_has_the_entries_where_no_line_of_MLSD_is_understood(string data)
    {
        await using var ftp = await StartAsync("MLSD", data, null);
        Assert.That(await ftp.Client.ListAsync("/d").CountAsync(), Is.EqualTo(2));
        // LIST shows nothing of a folder that has entries.
        await using var other = await StartAsync("MLSD", data, null);
        other.Server.Faults.SendData("LIST", Array.Empty<byte>(), times: 99);
        var error = await FtpHarness.FailsAsync(async () => await other.Client.ListAsync("/d").CountAsync());
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }

    [TestCase("total 0\r\n", true)]
    [TestCase("", false)]
    public async Task A_total_alone_proves_an_empty_folder_and_silence_does_not(string data, bool isProved)
    {
        using var local = new TempFolder();
        local.Add("d/old", [1]);
        await using var ftp = await FtpHarness.StartAsync(ListOnly);
        ftp.Store.AddFile("/s/a", "xyz"u8);
        ftp.Store.AddDirectory("/s/d");
        ftp.Server.Faults.SendData("LIST", Encoding.UTF8.GetBytes(data), skip: 1);
        var result = await ftp.Client.SynchronizeAsync(local.Path, "/s", SyncDirection.Down, new() { Delete = true });
        Assert.That((result.Failed, result.NotDeleted, File.Exists(local["d/old"])), Is.EqualTo((0L, isProved ? 0L : 1L, !isProved)));
    }

    /// <summary>A refusal closes the data connection at once, so that what came before it may be lost or not.</summary>
    [Test]
    public async Task A_refusal_behind_entries_is_never_a_complete_listing()
    {
        await using var ftp = await StartAsync("MLSD", $"{Facts}a\r\n", "550 no more");
        // Else LIST shows all, where the refusal came first.
        ftp.Server.Faults.Reply("LIST", "550 no");
        var count = 0;
        var error = await FtpHarness.FailsAsync(async () =>
        {
            await foreach (var _ in ftp.Client.ListAsync("/d")) count++;
        });
        Assert.That(error.Error, Is.EqualTo(count == 0 ? TransferError.Denied : TransferError.Partial), error.Message);
    }

    [Test]
    public async Task Names_that_ls_hides_are_neither_deleted_nor_replaced_for_not_being_listed()
    {
        using var local = new TempFolder();
        local.Add(".mine", [1]);
        local.Add("old", [1]);
        await using var ftp = await FtpHarness.StartAsync(ListOnly);
        ftp.Store.AddFile("/s/a", "xyz"u8);
        ftp.Store.AddFile("/s/.mine", "server's"u8);
        ftp.Server.Faults.SendData("LIST", Encoding.UTF8.GetBytes($"{Line}a\r\n"), times: 99);
        var down = await ftp.Client.SynchronizeAsync(local.Path, "/s", SyncDirection.Down, new() { Delete = true });
        Assert.That(local.Files, Is.EqualTo(new[] { ".mine", "a" }));
        Assert.That((down.Failed, down.Deleted, down.NotDeleted), Is.EqualTo((0L, 1L, 1L)));

        var up = await ftp.Client.UploadDirectoryAsync(local.Path, "/s", new() { Overwrite = OverwriteMode.Skip });
        Assert.That((up.Files, up.Skipped, up.Failed), Is.EqualTo((0L, 2L, 0L)));
        Assert.That(ftp.Store.ReadFile("/s/.mine"), Is.EqualTo("server's"u8.ToArray()));
    }

    [Test]
    public async Task Tls_that_ends_without_close_notify_leaves_a_listing_in_doubt()
    {
        await using var ftp = await FtpHarness.StartAsync(
            new() { Tls = FtpTestTls.Explicit }, FtpHarness.Options with { Tls = new FtpTlsOptions { AcceptAnyCertificate = true } });
        ftp.Store.AddFile("/d/a", "xyz"u8);
        ftp.Server.Faults.TruncateTls("MLSD", times: 99);
        var error = await FtpHarness.FailsAsync(async () => await ftp.Client.ListAsync("/d").CountAsync());
        Assert.That(error.Error, Is.EqualTo(TransferError.Partial));
        Assert.That(error.Message, Does.Contain("in doubt"));
        Assert.That(await ftp.Client.ListAsync("/d", new() { AcceptPartial = true }).CountAsync(), Is.EqualTo(1));
    }

    private static async Task<FtpHarness> StartAsync(string verb, string data, string? final)
    {
        var ftp = await FtpHarness.StartAsync(verb == "LIST" ? ListOnly : null);
        ftp.Store.AddFile("/d/a", "xyz"u8);
        ftp.Store.AddFile("/d/b", "xyz"u8);
        ftp.Server.Faults.SendData(verb, Encoding.UTF8.GetBytes(data), times: 99);
        if (final is not null) ftp.Server.Faults.FinalReply(verb, final, times: 99);
        return ftp;
    }

    private static TestCaseData Case(string name, string verb, string data, string? reason = null, string? final = null) =>
        new TestCaseData(verb, data, reason, final).SetArgDisplayNames(name);
}
