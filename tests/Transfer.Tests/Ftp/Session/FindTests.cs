using System.Text;
using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// Folders whose entries are found by STAT, many in one flight, where presence suffices: what rm -r deletes and chmod -R changes.
/// </summary>
public sealed class FindTests
{
    private const int Folders = 40;
    private const string Line = "-rw-r--r-- 1 u g 3 Jan  2  2024 ";

    // The first folder is listed and compared; of the others one finds none waiting, and on a busy machine more do.
    private const int MostFlights = Folders / 4;

    private static readonly FtpTestServerOptions WithoutMlst = new() { DisabledCommands = new HashSet<string> { "MLSD", "MLST" } };

    [TestCase("rm")]
    [TestCase("chmod")]
    public async Task Most_folders_of_a_level_in_one_flight_without_a_data_connection(string work)
    {
        await using var ftp = await StartAsync();
        await RunAsync(ftp, work);
        Assert.That(Listed(ftp), Is.Empty, () => string.Join(' ', ftp.Work));
        var finds = ftp.Work.Where(c => c.Verb == "STAT").ToArray();
        Assert.That(finds.Select(c => c.Argument).ToArray(), Is.Unique.And.Length.EqualTo(1 + Folders));
        Assert.That(finds.DistinctBy(c => c.Read).Count(), Is.LessThanOrEqualTo(MostFlights), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
        // The folder and the one above.
        Assert.That(ftp.Server.DataConnections, Is.LessThanOrEqualTo(2));
    }

    // A flight of its own would follow the listing, or come before CWD.
    [Test]
    public async Task The_first_folder_is_found_and_listed_in_one_flight()
    {
        await using var ftp = await StartAsync(server: WithoutMlst with { Link = new() { RoundTrip = TimeSpan.FromMilliseconds(60) } });
        await RunAsync(ftp, "chmod");
        TestCommand[] sent = [.. ftp.Work.SkipWhile(c => c.Verb != "STAT")];
        var listing = sent.First(c => c.Verb == "LIST");
        Assert.That(sent[0].Argument, Is.EqualTo("/d"));
        Assert.That(listing.Read - sent[0].Read, Is.EqualTo(1), () => string.Join(' ', ftp.Work.Select(c => $"{c.Read}:{c.Verb}")));
    }

    // Each of these was a round trip of its own: the proof of the named folder, and that of the folders which its listing shows.
    [Test]
    public async Task Proofs_by_PWD_leave_with_the_look_and_with_the_next_flight()
    {
        await using var ftp = await StartAsync(
            server: WithoutMlst with { Greeting = "(vsFTPd 3.0.5)", Link = new() { RoundTrip = TimeSpan.FromMilliseconds(60) } });
        var held = ftp.Server.Faults.Stall("CWD");
        var run = RunAsync(ftp, "rm");
        // No reply has come: two writes may arrive in two reads.
        await Eventually.TrueAsync(() => ftp.Work.Count >= 5, "the look leaves behind the proof");
        string Sent() => string.Join(' ', ftp.Work.Select(c => $"{c.Read}:{c}"));
        Assert.That(ftp.Work.Select(c => $"{c.Verb} {c.Argument}"),
            Is.EqualTo(new[] { "CWD /", "CWD /d", "SIZE /d", "MDTM /d", "CWD /d" }), Sent);
        held.Release();
        await run;
        var list = ftp.Work.First(c => c.Verb == "LIST");
        Assert.That(ftp.Work.Where(c => c.Read == list.Read + 1).Select(c => c.Verb), Does.Contain("CWD").And.Contain("STAT"), Sent);
    }

    [TestCase(FtpPipelining.Off)]
    [TestCase(FtpPipelining.PerFile)]
    public async Task Only_where_commands_leave_in_batches(FtpPipelining pipelining)
    {
        await using var ftp = await StartAsync(FtpHarness.Options with { Pipelining = pipelining });
        await RunAsync(ftp, "rm");
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.Zero);
    }

    [Test]
    public async Task Not_where_the_command_of_listings_is_forced()
    {
        await using var ftp = await StartAsync(FtpHarness.Options with { Compatibility = new() { List = FtpListCommand.List } });
        await RunAsync(ftp, "rm");
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.Zero);
    }

    // There each folder found would cost a proof that it is no link.
    [Test]
    public async Task Not_where_MLST_describes_entries()
    {
        await using var ftp = await StartAsync(server: new());
        await RunAsync(ftp, "rm");
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.Zero);
    }

    // ProFTPD's MLST gives a link a size and a directory none, so that one description of each directory proves it.
    [TestCase("rm")]
    [TestCase("chmod")]
    public async Task Where_sizes_tell_links_each_directory_is_described_in_the_flight_that_shows_its_entries(string work)
    {
        var sent = await RunInTwoLevelsAsync("ProFTPD 1.3.8 Server", work, stats: 1 + (2 * Folders));
        Assert.That(sent.Where(c => c is { Verb: "MLST", Argument: not ['/', ..] }), Is.Empty);
        Assert.That(sent.Where(c => c.Verb == "MLST" && c.Argument.EndsWith("/sub", StringComparison.Ordinal)).Select(c => c.Argument),
            Is.Unique.And.Exactly(Folders).Items, () => string.Join(' ', sent));
    }

    // Pure-FTPd's PWD shows the path on the disk.
    [TestCase("rm")]
    [TestCase("chmod")]
    public async Task Where_PWD_tells_links_one_flight_proves_the_directories_of_a_level(string work)
    {
        // STAT has shown the directories of each level before; rm looks for the named one above, too.
        var sent = await RunInTwoLevelsAsync("Welcome to Pure-FTPd", work, stats: (work == "rm" ? 2 : 1) + (2 * Folders));
        Assert.That(sent.Where(c => c.Verb == "CWD" && c.Argument.EndsWith("/sub", StringComparison.Ordinal)).Select(c => c.Argument),
            Is.Unique.And.Exactly(Folders).Items, () => string.Join(' ', sent));
    }

    [Test]
    public async Task The_named_folder_is_proved_by_PWD_instead_of_a_listing_of_the_one_above()
    {
        await using var ftp = await StartAsync(server: WithoutMlst with { Greeting = "(vsFTPd 3.0.5)" });
        ftp.Store.AddFile("/kept/a \"b\"/f", [1]);
        ftp.Store.AddSymbolicLink("/link", "/kept");
        await RunAsync(ftp, "rm", kept: "/kept/a \"b\"/f");
        Assert.That(ftp.Work.Count(c => c.Verb == "LIST"), Is.EqualTo(1), () => string.Join(' ', ftp.Work));
        await ftp.Client.DeleteAsync("/link", recursive: true).Soon();
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(1), () => string.Join(' ', ftp.Work));
        await ftp.Client.DeleteAsync("/kept", recursive: true).Soon();
        Assert.That(ftp.Store.Files, Is.Empty, () => string.Join(' ', ftp.Work));
    }

    // The second one leads to the folder 'link" more'.
    [TestCase("257 \"/kept\" is your current location")]
    [TestCase("257 \"/d/link\" more\" is your current location")]
    [TestCase("550 No")]
    public async Task A_folder_with_another_path_on_the_disk_is_not_entered(string answer)
    {
        await using var ftp = await FtpHarness.StartAsync(new() { Greeting = "Pure-FTPd", LinkListing = FtpLinkListing.Nowhere });
        ftp.Store.AddFile("/kept/f", [1]);
        ftp.Store.AddDirectory("/d");
        ftp.Store.AddSymbolicLink("/d/link", "/kept");
        await ftp.Client.PingAsync();
        // PWD of the folder above comes first.
        var answered = ftp.Server.Faults.Reply("PWD", answer, skip: 1);
        await ftp.Client.DeleteAsync("/d/link", recursive: true).Soon();
        Assert.That(answered.Fired, Is.EqualTo(1), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/kept/f" }), () => string.Join(' ', ftp.Work));
    }

    // As pure-ftpd-virtualchroot prints paths; LIST and STAT show the link.
    [TestCase(true)]
    [TestCase(false)]
    public async Task A_link_whose_path_PWD_prints_as_given_is_not_entered(bool describes)
    {
        var server = (describes ? new() : WithoutMlst) with { Greeting = "Pure-FTPd", LinkListing = FtpLinkListing.ListOnly };
        await using var ftp = await StartAsync(server: server);
        ftp.Store.AddFile("/kept/f", [1]);
        ftp.Store.AddSymbolicLink("/d/link", "/kept");
        ftp.Store.AddSymbolicLink("/link", "/kept");
        ftp.Server.Faults.Reply("PWD", "257 \"/\" is your current location", skip: 1, times: 1);
        ftp.Server.Faults.Reply("PWD", "257 \"/link\" is your current location");
        await ftp.Client.DeleteAsync("/link", recursive: true).Soon();
        await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/kept/f" }), () => string.Join(' ', ftp.Work));
    }

    [Test]
    public async Task A_link_that_is_shown_as_a_folder_is_deleted_and_its_target_stays()
    {
        await using var ftp = await StartAsync(server: new() { Greeting = "ProFTPD 1.3.8 Server", LinkListing = FtpLinkListing.Nowhere });
        ftp.Store.AddFile("/kept/f", [1]);
        ftp.Store.AddSymbolicLink("/d/07/link", "/kept");
        ftp.Server.Faults.Garbage("MLST", "250-Start of list\r\n size=5;type=dir; /d/07/link\r\n250 End of list\r\n"u8.ToArray(),
            times: 2, path: "/d/07/link");
        await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/kept/f" }), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.GreaterThan(Folders / 2), () => string.Join(' ', ftp.Work));
    }

    // The folder in which the types differ is the first of the host, which is listed.
    [Test]
    public async Task Not_where_the_answer_has_other_types_than_a_listing()
    {
        await using var ftp = await FtpHarness.StartAsync(WithoutMlst);
        for (var i = 0; i < Folders; i++) ftp.Store.AddFile($"/d/{i:D2}/sub/f", [1]);
        ftp.Server.Faults.Garbage("STAT", Answer([.. Enumerable.Range(0, Folders).Select(i => $"{Line}{i:D2}")]), path: "/d");
        await RunAsync(ftp, "chmod", changes: 1 + (3 * Folders));
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.EqualTo(1));
    }

    [Test]
    public async Task Not_for_what_an_application_lists_nor_for_a_source()
    {
        await using var ftp = await StartAsync();
        await RunAsync(ftp, "chmod");
        var before = ftp.Work.Count(c => c.Verb == "STAT");
        using var folder = new TempFolder();
        Assert.That(await ftp.Client.ListAsync("/d", new() { Recursive = true }).CountAsync(), Is.EqualTo(2 * Folders));
        await ftp.Client.DownloadDirectoryAsync("/d", folder.Path, new() { DryRun = true });
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.EqualTo(before));
    }

    [Test]
    public async Task For_a_recursive_listing_where_the_server_makes_both_in_the_same_manner()
    {
        await using var ftp = await StartAsync(server: WithoutMlst with { Greeting = "(vsFTPd 3.0.3)" });
        ftp.Store.AddDirectory("/d/empty");
        for (var i = 0; i < 1200; i++) ftp.Store.AddFile($"/d/long/{i}", [1]);
        var found = await ftp.Client.ListAsync("/d", new() { Recursive = true }).Select(entry => entry.Path).ToListAsync();
        Assert.That(found, Is.Unique.And.Count.EqualTo((2 * Folders) + 1 + 1201));
        Assert.That(Listed(ftp), Is.EquivalentTo(new[] { "/d/empty", "/d/long" }), () => string.Join(' ', ftp.Work));
        var finds = ftp.Work.Where(c => c.Verb == "STAT").ToArray();
        Assert.That(finds.DistinctBy(c => c.Read).Count(), Is.LessThanOrEqualTo(MostFlights), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
        var before = ftp.Work.Count;
        Assert.That(await ftp.Client.ListAsync("/d").CountAsync(), Is.EqualTo(Folders + 2));
        Assert.That(ftp.Work.Skip(before).Select(c => c.Verb), Has.No.Member("STAT"));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task For_a_recursive_listing_of_names(bool describes)
    {
        await using var ftp = await StartAsync(server: describes ? new() : WithoutMlst);
        ftp.Store.AddDirectory("/d/empty");
        for (var i = 0; i < 1200; i++) ftp.Store.AddFile($"/d/long/{i}", [1]);
        var names = new ListOptions { Recursive = true, NamesSuffice = true };
        var found = await ftp.Client.ListAsync("/d", names).Select(entry => entry.Path).ToListAsync();
        Assert.That(found, Is.Unique.And.Count.EqualTo((2 * Folders) + 1 + 1201));
        var listed = describes ? ftp.Work.Where(c => c.Verb == "MLSD").Select(c => c.Argument).ToArray() : ["/d", .. Listed(ftp)];
        Assert.That(listed, Is.EquivalentTo(new[] { "/d", "/d/empty", "/d/long" }), () => string.Join(' ', ftp.Work));
        var finds = ftp.Work.Where(c => c.Verb == "STAT").ToArray();
        Assert.That(finds.DistinctBy(c => c.Read).Count(), Is.LessThanOrEqualTo(MostFlights), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Work.Select(c => c.Verb), Has.No.Member("MLST"));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task A_server_without_it_is_asked_once()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("STAT", "502 Command not implemented", times: 99);
        await RunAsync(ftp, "rm");
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.EqualTo(1));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task One_that_shows_other_entries_than_a_listing_is_not_trusted()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Garbage("STAT", Answer(Line + "other"), times: 99);
        await RunAsync(ftp, "rm");
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.EqualTo(3), () => string.Join(' ', ftp.Work));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task One_folder_with_other_entries_in_a_listing_is_compared_and_another_decides()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Garbage("STAT", Answer(Line + "other"), path: "/d");
        await RunAsync(ftp, "rm");
        Assert.That(ftp.Work.Count(c => c.Verb == "STAT"), Is.GreaterThan(Folders / 2), () => string.Join(' ', ftp.Work));
    }

    [Test]
    public async Task An_empty_answer_is_asked_again_by_a_listing()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Garbage("STAT", Answer(), path: "/d/07");
        await RunAsync(ftp, "rm");
        Assert.That(Listed(ftp), Is.EqualTo(new[] { "/d/07" }));
    }

    [TestCase("refused")]
    [TestCase("long")]
    [TestCase("[a]")]
    [TestCase("a b")]
    public async Task What_it_does_not_show_is_listed(string why)
    {
        await using var ftp = await StartAsync();
        var name = why is "refused" or "long" ? "more" : why;
        for (var i = 0; i < (why == "long" ? 1200 : 3); i++) ftp.Store.AddFile($"/d/{name}/{i}", [1]);
        if (why == "refused") ftp.Server.Faults.Reply("STAT", "550 No", path: "/d/more");
        await RunAsync(ftp, "rm");
        Assert.That(Listed(ftp), Is.EqualTo(new[] { $"/d/{name}" }));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    // As Pure-FTPd does above its limit: nothing in the answer tells.
    [Test]
    public async Task A_folder_whose_entries_were_left_out_is_listed_before_it_counts_as_refused()
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/d/07/hidden", [1]);
        var answer = ftp.Server.Faults.Garbage("STAT", Answer(Line + "f"), path: "/d/07");
        await RunAsync(ftp, "rm");
        Assert.That(answer.Fired, Is.EqualTo(1));
        // CWD is a look at the refused folder, too.
        Assert.That(Listed(ftp), Is.Not.Empty.And.All.EqualTo("/d/07"));
        Assert.That(ftp.Work.Count(c => c.Verb == "DELE" && c.Argument == "/d/07/hidden"), Is.EqualTo(1));
        Assert.That(ftp.Work.Count(c => c.Verb == "RMD" && c.Argument == "/d/07"), Is.EqualTo(2));
    }

    [Test]
    public async Task A_folder_that_the_server_keeps_is_an_error_and_the_others_go()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("RMD", "550 Busy", times: 99, path: "/d/07");
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/d", recursive: true).AsTask());
        Assert.That(error.RemotePath, Is.EqualTo("/d/07"));
        Assert.That(ftp.Store.Files, Is.Empty);
        Assert.That(ftp.Work.Count(c => c.Verb == "RMD" && c.Argument == "/d/07"), Is.InRange(2, 4));
    }

    // A name with line ends in it: "a\n213 End\n213-Status\n-rw… 05" moves the answers of all folders behind by one.
    [TestCase("213-Status\r\n" + Line + "a\r\n213 End\r\n213-Status\r\n" + Line + "f\r\n213 End\r\n")]
    [TestCase("213-Status\r\n" + Line + "a\r\n213 End\r\n257 \"/\"\r\n213 End\r\n")]
    [TestCase("213-Status\r\n" + Line + "a\r\n213 End\r\n200 Still here\r\n200 Still here\r\n213 End\r\n")]
    [TestCase("213-Status\r\n" + Line + "a\r\n213 End\r\nnot a reply\r\n213 End\r\n")]
    [TestCase("213-Status\r\n" + Line + "a\r\nno line of a listing\r\n213 End\r\n")]
    [TestCase("213-Status\r\n" + Line + "a\r\n213-\r\n213 End\r\n")]
    [TestCase("250-Status\r\n" + Line + "a\r\n250 End\r\n")]
    public async Task A_name_that_forges_replies_costs_the_session_and_the_rung_and_nothing_else(string answer)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/other/a", [1]);
        ftp.Store.AddFile("/other/f", [1]);
        var forged = ftp.Server.Faults.Garbage("STAT", Encoding.ASCII.GetBytes(answer), path: "/d/20");
        await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
        Assert.That(forged.Fired, Is.EqualTo(1));
        Assert.That(ftp.Store.Files, Is.EquivalentTo(new[] { "/other/a", "/other/f" }));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(2));
        Assert.That(ftp.Work.Where(c => c.Connection > 1 && c.Verb == "STAT"), Is.Empty);
        // Commands in one write are not the reason.
        Assert.That(ftp.Work.Where(c => c.Connection > 1).GroupBy(c => c.Read).Max(write => write.Count()), Is.GreaterThan(1));
        Assert.That(ftp.Work.Where(c => c.Verb == "DELE").Select(c => c.Argument), Is.All.Match("^/d/[0-9]+/f$"));
    }

    [Test]
    public async Task An_answer_without_an_end_is_cut_off()
    {
        await using var ftp = await StartAsync();
        var endless = ftp.Server.Faults.EndlessLines("STAT", 140 << 20, path: "/d/20");
        await RunAsync(ftp, "rm");
        Assert.That(endless.Fired, Is.EqualTo(1));
        Assert.That(ftp.Work.Where(c => c.Connection > 1 && c.Verb == "STAT"), Is.Empty);
    }

    [Test]
    public async Task The_folders_of_a_lost_flight_are_found_again()
    {
        await using var ftp = await StartAsync();
        var lost = ftp.Server.Faults.DropConnection("STAT", skip: 12);
        await RunAsync(ftp, "rm");
        Assert.That((lost.Fired, ftp.Server.TotalConnections), Is.EqualTo((1, 2)));
    }

    private static byte[] Answer(params string[] lines) =>
        Encoding.ASCII.GetBytes($"213-Status follows:\r\n{string.Concat(lines.Select(line => $" {line}\r\n"))}213 End\r\n");

    private static string[] Listed(FtpHarness ftp) =>
        [.. ftp.Work.Where(c => c.Verb == "CWD" && c.Argument.StartsWith("/d/", StringComparison.Ordinal)).Select(c => c.Argument)];

    private static async Task<FtpHarness> StartAsync(FtpOptions? options = null, FtpTestServerOptions? server = null)
    {
        var ftp = await FtpHarness.StartAsync(server ?? WithoutMlst, options);
        for (var i = 0; i < Folders; i++) ftp.Store.AddFile($"/d/{i:D2}/f", FtpHarness.Content(10 + i, i));
        return ftp;
    }

    private static async Task<TestCommand[]> RunInTwoLevelsAsync(string greeting, string work, int stats)
    {
        await using var ftp = await StartAsync(server: new() { Greeting = greeting });
        for (var i = 0; i < Folders; i++) ftp.Store.AddFile($"/d/{i:D2}/sub/f", [1]);
        var before = ftp.Work.Count;
        await RunAsync(ftp, work, changes: 1 + (4 * Folders));
        TestCommand[] sent = [.. ftp.Work.Skip(before)];
        Assert.That(sent.Count(c => c.Verb == "STAT"), Is.EqualTo(stats), () => string.Join(' ', sent));
        Assert.That(sent.Count(c => c.Verb == "MLSD"), Is.EqualTo(1), () => string.Join(' ', sent));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
        return sent;
    }

    private static async Task RunAsync(FtpHarness ftp, string work, int changes = 1 + (2 * Folders), params string[] kept)
    {
        if (work == "rm")
        {
            await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
            Assert.That(ftp.Store.Files, Is.EqualTo(kept));
        }
        else
        {
            var changed = await ftp.Client.ChangeModeAsync("/d", ModeChange.Parse("u=rwX,go="), recursive: true).Soon();
            Assert.That(changed, Is.EqualTo(changes));
        }
    }
}
