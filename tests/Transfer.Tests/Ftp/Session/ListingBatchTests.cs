using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Folders whose listings leave in one write, and follow one another on the control connection.</summary>
[Category(Categories.Slow)]
public sealed class ListingBatchTests
{
    private const int Folders = 40;

    // The first of each eight finds none waiting, and on a busy machine others do too.
    private const int MostWrites = Folders / 2;

    private static readonly FtpTestServerOptions ByMlsd = new();

    // Without MLST, STAT would find the entries before.
    private static readonly FtpTestServerOptions ByList = new() { DisabledCommands = new HashSet<string> { "MLSD", "MLST", "STAT" } };

    [TestCase("get", "MLSD")]
    [TestCase("get", "LIST")]
    [TestCase("rm", "MLSD")]
    [TestCase("rm", "LIST")]
    [TestCase("ls", "MLSD")]
    [TestCase("ls", "LIST")]
    public async Task Eight_folders_a_write(string work, string verb)
    {
        await using var ftp = await StartAsync(verb);
        await RunAsync(ftp, work);
        var listings = ftp.Work.Where(c => c.Verb == verb).ToArray();
        // LIST of the folder above proves that the first one is no link.
        var above = work == "rm" && verb == "LIST" ? 1 : 0;
        Assert.That(listings, Has.Length.EqualTo(above + 1 + Folders), () => string.Join(' ', ftp.Work));
        Assert.That(listings.DistinctBy(c => c.Read).Count(), Is.LessThanOrEqualTo(above + MostWrites), () => string.Join(' ', ftp.Work));
        var one = verb == "MLSD" ? "EPSV MLSD" : "CWD EPSV LIST";
        foreach (var write in ftp.Work.GroupBy(c => c.Read).Where(write => write.Count(c => c.Verb == verb) > 1))
            Assert.That(string.Join(' ', write.Select(c => c.Verb)), Does.Match($"^({one}|{verb})( {one})*$"));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [TestCase("get")]
    [TestCase("rm")]
    [TestCase("ls")]
    public async Task Off_means_one_command_a_write(string work)
    {
        await using var ftp = await StartAsync("MLSD", FtpHarness.Options with { Pipelining = FtpPipelining.Off });
        await RunAsync(ftp, work);
        Assert.That(ftp.Work.GroupBy(c => c.Read).Select(write => write.Count()), Is.All.EqualTo(1));
        Assert.That(ftp.Work.Count(c => c.Verb == "MLSD"), Is.EqualTo(1 + Folders));
    }

    [TestCase("get")]
    [TestCase("rm")]
    [TestCase("ls")]
    public async Task An_unknown_server_gets_the_commands_of_one_listing_at_a_time(string work)
    {
        await using var ftp = await StartAsync("MLSD", server: ByMlsd with { Greeting = "Hello" });
        await RunAsync(ftp, work);
        Assert.That(ftp.Work.GroupBy(c => c.Read).Select(write => write.Count(c => c.Verb == "MLSD")), Is.All.LessThanOrEqualTo(1));
    }

    [Test]
    public async Task Several_sessions_have_a_fair_share_each()
    {
        await using var ftp = await StartAsync("MLSD", FtpHarness.Options with { MaxSessions = 4 });
        await RunAsync(ftp, "get");
        Assert.That(ftp.Work.Count(c => c.Verb == "MLSD"), Is.EqualTo(1 + Folders));
        Assert.That(ftp.Server.TotalConnections, Is.LessThanOrEqualTo(4));
    }

    // Of the sessions for the upper level some are not wanted any more before they are open: that is no refusal.
    [Test]
    public async Task The_lower_level_has_the_sessions_that_it_pays_for()
    {
        await using var ftp = await FtpHarness.StartAsync(ByMlsd with { Link = new() { RoundTrip = TimeSpan.FromMilliseconds(40) } },
            FtpHarness.Options with { MaxSessions = 12 });
        for (var i = 0; i < 160; i++) ftp.Store.AddFile($"/d/{i % 8}/{i:D3}/f", [1]);
        Assert.That(await ftp.Client.ListAsync("/d", new() { Recursive = true }).CountAsync(), Is.EqualTo(8 + (2 * 160)));
        Assert.That(ftp.Server.TotalConnections, Is.GreaterThan(4));
    }

    [TestCase("get", "MLSD")]
    [TestCase("get", "LIST")]
    [TestCase("rm", "MLSD")]
    public async Task A_refused_listing_fails_alone(string work, string verb)
    {
        await using var ftp = await StartAsync(verb);
        var (path, refusing) = ("/d/17", verb == "MLSD" ? "MLSD" : "CWD");
        var refused = ftp.Server.Faults.Reply(refusing, "550 Permission denied", times: 99, path: path);
        if (work == "get")
        {
            var result = await DryAsync(ftp);
            Assert.That((result.Files, result.Failed), Is.EqualTo((Folders - 1L, 1L)));
        }
        else
        {
            var error = await FtpHarness.FailsAsync(() => ftp.Client.DeleteAsync("/d", recursive: true).AsTask());
            Assert.That(error.RemotePath, Is.EqualTo(path));
            Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/17/f" }));
        }
        Assert.That(refused.Fired, Is.GreaterThan(0));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    // The LIST behind a refused CWD lists the folder of the one before.
    [Test]
    public async Task The_lines_behind_a_refused_CWD_are_another_folders()
    {
        await using var ftp = await StartAsync("LIST");
        var refused = ftp.Server.Faults.Reply("CWD", "550 Just now not", path: "/d/17");
        using var folder = new TempFolder();
        var result = await ftp.Client.DownloadDirectoryAsync("/d", folder.Path);
        Assert.That((result.Files, result.Failed, refused.Fired), Is.EqualTo(((long)Folders, 0L, 1)));
        for (var i = 0; i < Folders; i++) Same.Bytes(folder.Read($"{i:D2}/f"), FtpHarness.Content(10 + i, i));
    }

    [TestCase("get")]
    [TestCase("rm")]
    [TestCase("ls")]
    public async Task The_folders_of_a_lost_batch_are_listed_again(string work)
    {
        await using var ftp = await StartAsync("MLSD");
        var lost = ftp.Server.Faults.DropConnection("MLSD", skip: 12);
        await RunAsync(ftp, work);
        Assert.That(lost.Fired, Is.EqualTo(1));
    }

    [TestCase("get")]
    [TestCase("rm")]
    [TestCase("ls")]
    public async Task Replies_that_do_not_fit_turn_the_host_serial(string work)
    {
        await using var ftp = await StartAsync("MLSD");
        ftp.Server.Faults.ReplyTwice("EPSV", skip: 12);
        await RunAsync(ftp, work);
        Assert.That(ftp.Work.Where(c => c.Connection > 1).GroupBy(c => c.Read).Select(write => write.Count()), Is.All.EqualTo(1));
    }

    [TestCase("get")]
    [TestCase("rm")]
    [TestCase("ls")]
    public async Task A_listing_whose_connection_is_refused_comes_again_over_the_same_session(string work)
    {
        await using var ftp = await StartAsync("MLSD");
        // Proofs that a folder is no link have two of their own.
        var skip = work == "rm" ? 15 : 13;
        var refused = ftp.Server.Faults.Reply("EPSV", "425 EPSV: Address already in use", skip: skip);
        var silent = ftp.Server.Faults.OmitFinalReply("MLSD", skip: 13);
        await RunAsync(ftp, work);
        Assert.That((refused.Fired, silent.Fired), Is.EqualTo((1, 1)));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task A_cut_listing_is_partial_and_the_others_are_whole()
    {
        await using var ftp = await StartAsync("MLSD");
        var cut = ftp.Server.Faults.FinalReply("MLSD", "426 Connection closed", skip: 12);
        var result = await DryAsync(ftp);
        Assert.That(cut.Fired, Is.EqualTo(1));
        Assert.That((result.Files, result.Failed), Is.EqualTo(((long)Folders, 0L)));
    }

    [Test]
    public async Task A_cancelled_walk_costs_no_later_one_anything()
    {
        await using var ftp = await StartAsync("MLSD");
        using var stop = new CancellationTokenSource();
        var stalled = ftp.Server.Faults.StallData(0, "MLSD", skip: 10);
        using var folder = new TempFolder();
        var walk = ftp.Client.DownloadDirectoryAsync("/d", folder.Path, new() { DryRun = true }, cancellationToken: stop.Token);
        await Eventually.IsAsync(() => stalled.Fired, 1);
        await stop.CancelAsync();
        await Assert.CatchAsync<OperationCanceledException>(() => walk.Soon());
        ftp.Server.Faults.Clear();
        await RunAsync(ftp, "get");
    }

    // What is collected ahead has a quarter of the memory.
    [Test]
    public async Task Folders_for_which_there_is_no_memory_ahead_are_listed_again_in_their_turn()
    {
        await using var ftp = await StartAsync("MLSD", FtpHarness.Options with { MaxListingBytes = 400_000 });
        var found = new List<string>();
        for (var i = 0; i < 3000; i++) ftp.Store.AddFile($"/d/07/{i:D4}", []);
        await foreach (var entry in ftp.Client.ListAsync("/d", new() { Recursive = true }))
        {
            // The job's listings wait for nothing that the application has not read.
            if (entry.Path == "/d/00/f") Assert.That((await DryAsync(ftp, "/d/09")).Files, Is.EqualTo(1));
            found.Add(entry.Path);
        }
        Assert.That(found, Is.Unique.And.Count.EqualTo(3000 + (2 * Folders)));
        Assert.That(ftp.Work.Count(c => c.Verb == "MLSD" && c.Argument == "/d/07"), Is.EqualTo(2));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
    }

    private static async Task<FtpHarness> StartAsync(string verb, FtpOptions? options = null, FtpTestServerOptions? server = null)
    {
        var ftp = await FtpHarness.StartAsync(server ?? (verb == "LIST" ? ByList : ByMlsd), options);
        for (var i = 0; i < Folders; i++) ftp.Store.AddFile($"/d/{i:D2}/f", FtpHarness.Content(10 + i, i));
        return ftp;
    }

    private static async Task RunAsync(FtpHarness ftp, string work)
    {
        if (work == "get")
        {
            var result = await DryAsync(ftp);
            Assert.That((result.Files, result.Failed), Is.EqualTo(((long)Folders, 0L)));
        }
        else if (work == "ls")
        {
            var found = await ftp.Client.ListAsync("/d", new() { Recursive = true }).Select(entry => entry.Path).ToListAsync().Soon();
            Assert.That(found, Is.Unique.And.Count.EqualTo(2 * Folders));
        }
        else
        {
            await ftp.Client.DeleteAsync("/d", recursive: true).Soon();
            Assert.That(ftp.Store.Files, Is.Empty);
        }
    }

    private static async Task<JobResult> DryAsync(FtpHarness ftp, string path = "/d")
    {
        using var folder = new TempFolder();
        return await ftp.Client.DownloadDirectoryAsync(path, folder.Path, new() { DryRun = true }).Soon();
    }
}
