using Transfer.Ftp;
using Transfer.Testing;
using MemoryStore = Transfer.Testing.MemoryStore;

namespace Transfer.Tests.Ftp.Session;

/// <summary>One large file over several FTP sessions: ranges by RANG, or by REST and cut where they end.</summary>
[Category(Categories.Slow)]
public sealed class SegmentTests
{
    private const int Length = (6 << 20) + 1234;
    private const int Sessions = 4;

    private static readonly byte[] Content = FtpHarness.Content(Length, seed: 5);
    private static readonly DateTimeOffset Modified = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);
    private static readonly LinkOptions Link = new() { RoundTrip = TimeSpan.FromMilliseconds(10), BytesPerSecond = 40_000_000 };

    private TempFolder _folder = null!;

    private string Local => _folder["file"];

    [SetUp]
    public void CreateFolder() => _folder = new TempFolder();

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [TestCase(true, FtpTestTls.None)]
    [TestCase(false, FtpTestTls.None)]
    [TestCase(true, FtpTestTls.Explicit)]
    [TestCase(false, FtpTestTls.Explicit)]
    public async Task Sessions_fetch_a_file_together_and_are_as_good_as_new(bool rang, FtpTestTls tls)
    {
        await using var ftp = await StartAsync(rang, new FtpTestServerOptions { Tls = tls });

        var result = await GetAsync(ftp);

        AssertWhole(result);
        Assert.That(File.GetLastWriteTimeUtc(Local), Is.EqualTo(Modified.UtcDateTime));
        Assert.That(ftp.Work.Count(c => c.Verb == "RETR"), Is.GreaterThanOrEqualTo(Sessions));
        // The first part begins as the whole file, and the last one ends with it.
        Assert.That(ftp.Work.Count(c => c.Verb == (rang ? "RANG" : "REST")), Is.GreaterThanOrEqualTo(Sessions - (rang ? 2 : 1)));
        ftp.Store.AddFile("/small", Content.AsSpan(0, 10_000));
        for (var i = 0; i < 2 * Sessions; i++) Same.Bytes(await ftp.GetAsync("/small"), Content.AsSpan(..10_000));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(Sessions), "No session was lost.");
    }

    [Test]
    public async Task Pure_FTPd_is_told_by_ABOR_where_a_range_ends()
    {
        await using var ftp = await StartAsync(rang: false, new FtpTestServerOptions { Greeting = "Pure-FTPd" });
        // Else the server may have sent all of the file before the first range is read to its end, whichever of them it sends first.
        var held = ftp.Server.Faults.StallData(Length / 2, "RETR", times: int.MaxValue);
        AssertWhole(await GetAsync(ftp));
        held.Release();
        Assert.That(ftp.Work.Count(c => c.Verb == "ABOR"), Is.GreaterThanOrEqualTo(1));
        Same.Bytes(await ftp.GetAsync("/file"), Content);
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(Sessions), "No session was lost.");
    }

    [TestCase(FtpTestTls.None)]
    [TestCase(FtpTestTls.Explicit)]
    public async Task A_range_that_stands_still_is_fetched_by_somebody_else(FtpTestTls tls)
    {
        await using var ftp = await StartAsync(rang: false, new FtpTestServerOptions { Tls = tls });
        var held = ftp.Server.Faults.StallData(70_000, "RETR");

        var result = await GetAsync(ftp);

        AssertWhole(result);
        Assert.That(held.FirstFired.IsCompletedSuccessfully);
        Assert.That(result.Attempts, Is.EqualTo(1), "It is not the file's fault.");
        Same.Bytes(await ftp.GetAsync("/file"), Content, "by the others, which are as good as new");
    }

    [Test]
    public async Task What_the_segments_read_is_known_without_another_look()
    {
        await using var ftp = await StartAsync(rang: true);
        AssertWhole(await GetAsync(ftp));
        Assert.That(ftp.Work.Last(c => c.Verb is "MLST" or "RETR").Verb, Is.EqualTo("RETR"));
    }

    [Test]
    public async Task One_command_at_a_time_does_it_too()
    {
        await using var ftp = await StartAsync(rang: false, pipelining: FtpPipelining.Off);
        AssertWhole(await GetAsync(ftp));
        Assert.That(ftp.Work.Count(c => c.Verb == "REST"), Is.GreaterThanOrEqualTo(Sessions - 1));
    }

    [Test]
    public async Task Text_is_not_divided()
    {
        await using var ftp = await StartAsync(rang: true, type: FtpTransferType.Ascii);
        // Without line ends, so that it is as long as text as it is at the server.
        ftp.Store.AddFile("/file", Enumerable.Repeat((byte)'x', Length).ToArray());
        await GetAsync(ftp);
        Assert.That(ftp.Work.Count(c => c.Verb == "RETR"), Is.EqualTo(1));
    }

    [TestCase("502 no")]
    [TestCase("501 no offsets")]
    public async Task Where_REST_is_refused_the_file_comes_in_one_piece(string refusal)
    {
        await using var ftp = await StartAsync(rang: false);
        ftp.Server.Faults.Reply("REST", refusal, times: 99);
        AssertWhole(await GetAsync(ftp));
    }

    [Test]
    public async Task Where_RANG_is_refused_REST_does_it()
    {
        await using var ftp = await StartAsync(rang: true);
        ftp.Server.Faults.Reply("RANG", "502 no", times: 99);
        AssertWhole(await GetAsync(ftp));
        Assert.That(ftp.Work.Count(c => c.Verb == "REST"), Is.GreaterThanOrEqualTo(Sessions - 1));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_server_that_ignores_offsets_is_found_out(bool rang)
    {
        await using var ftp = await StartAsync(rang);
        ftp.Server.Faults.Reply("RANG", "350 yes", times: 99);
        ftp.Server.Faults.Reply("REST", "350 yes", times: 99);
        AssertWhole(await GetAsync(ftp));
        // Known from now on, to the sessions that are opened later.
        await using var other = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = Sessions });
        var before = ftp.Work.Count(c => c.Verb == "RETR");
        await other.DownloadFileAsync("/file", Local, new() { Segments = Sessions, Overwrite = OverwriteMode.Always });
        Assert.That(ftp.Work.Count(c => c.Verb == "RETR"), Is.EqualTo(before + 1));
    }

    [TestCase(true, true)]
    [TestCase(true, false)]
    [TestCase(false, true)]
    [TestCase(false, false)]
    public async Task A_range_that_the_server_cuts_goes_on_where_it_was(bool rang, bool reset)
    {
        await using var ftp = await StartAsync(rang);
        ftp.Server.Faults.CutData(500_000, "RETR", reset, skip: 1);
        var result = await GetAsync(ftp);
        AssertWhole(result);
        Assert.That(result.Attempts, Is.EqualTo(2));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_session_that_is_lost_over_a_range_loses_nothing(bool afterTheRange)
    {
        await using var ftp = await StartAsync(rang: false);
        // Cut where it ends, the range is there before the server has said anything of it.
        ftp.Server.Faults.DropConnection("RETR", executed: afterTheRange, skip: 1);
        var result = await GetAsync(ftp);
        AssertWhole(result);
        Assert.That(ftp.Server.TotalConnections, Is.GreaterThanOrEqualTo(Sessions));
    }

    [Test]
    public async Task A_file_that_changes_between_two_ranges_is_not_put_together_from_both()
    {
        await using var ftp = await StartAsync(rang: true);
        File.WriteAllText(Local, "old");
        var held = HoldSecondSegment(ftp);
        var download = GetAsync(ftp);
        await held.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        await ftp.Store.SetModifiedAsync("/file", Modified.AddMinutes(2));
        held.Release();

        var error = await FtpHarness.FailsAsync(() => download);

        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(File.ReadAllText(Local), Is.EqualTo("old"));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "file" }));
    }

    [Test]
    public async Task A_file_that_is_overwritten_between_two_ranges_comes_as_one_of_both_or_not_at_all()
    {
        await using var ftp = await StartAsync(rang: true);
        File.WriteAllText(Local, "old");
        var other = FtpHarness.Content(Length, seed: 6);
        var held = HoldSecondSegment(ftp);
        var download = GetAsync(ftp);
        await held.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        ftp.Store.AddFile("/file", other, Modified.AddMinutes(2));
        held.Release();
        try
        {
            await download;
            Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(other));
        }
        catch (TransferException error)
        {
            Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
            Assert.That(File.ReadAllText(Local), Is.EqualTo("old"));
        }
    }

    // The first look, and that of the first segment, are past.
    private static TestFault HoldSecondSegment(FtpHarness ftp) => ftp.Server.Faults.Stall("MLST", skip: 2);

    [TestCase(1)]
    [TestCase(300_000)]
    public async Task A_file_that_grew_comes_whole(int by)
    {
        await using var ftp = await StartAsync(rang: false);
        var grown = FtpHarness.Content(Length + by, seed: 5);
        // All of them, or the segment at the end may have been read from the file as it was.
        var held = ftp.Server.Faults.Stall("RETR", times: int.MaxValue);
        var download = GetAsync(ftp);
        await held.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        ftp.Store.AddFile("/file", grown, Modified);
        held.Release();
        await download;
        Same.Bytes(File.ReadAllBytes(Local), grown);
    }

    [Test]
    public async Task A_file_that_grew_is_no_reason_to_ask_for_no_offsets_any_more()
    {
        await using var ftp = await StartAsync(rang: false);
        var grown = FtpHarness.Content(Length + 300_000, seed: 5);
        var held = ftp.Server.Faults.Stall("MLST", skip: 1, times: 2 * Sessions);
        var download = GetAsync(ftp);
        await held.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        ftp.Store.AddFile("/file", grown, Modified);
        held.Release();
        await download;
        Same.Bytes(File.ReadAllBytes(Local), grown);
        var before = ftp.Work.Count(c => c.Verb == "RETR");
        await using var other = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = Sessions });
        await Task.WhenAll(Enumerable.Range(0, Sessions).Select(_ => other.ListAsync("/").ToListAsync().AsTask()));
        await other.DownloadFileAsync("/file", Local, new() { Segments = Sessions, Overwrite = OverwriteMode.Always });
        Assert.That(ftp.Work.Count(c => c.Verb == "RETR"), Is.GreaterThan(before + 1));
    }

    [TestCase(0)]
    [TestCase(5)]
    public async Task A_folder_s_file_of_which_the_listing_has_only_the_day_or_another_zone_s_time_comes_too(int zone)
    {
        await using var ftp = await StartAsync(rang: false,
            new FtpTestServerOptions { DisabledCommands = new HashSet<string> { "MLSD", "MLST" } }, zone: zone);
        var result = await ftp.Client.DownloadDirectoryAsync("/", _folder.Path, new() { Segments = Sessions });
        Assert.That(result.Failures.Select(item => item.Error!.Message), Is.Empty);
        Same.Bytes(File.ReadAllBytes(Local), Content);
        Assert.That(ftp.Work.Count(c => c.Verb == "REST"), Is.GreaterThanOrEqualTo(1), "It was divided.");
    }

    private static async Task<FtpHarness> StartAsync(
        bool rang, FtpTestServerOptions? server = null, FtpPipelining pipelining = FtpPipelining.Auto,
        FtpTransferType type = FtpTransferType.Binary, int zone = 0)
    {
        var store = new MemoryStore();
        store.AddFile("/file", Content, Modified);
        server ??= new FtpTestServerOptions();
        var ftp = await FtpHarness.StartAsync(
            server with
            {
                Store = store,
                Link = Link,
                DisabledCommands = new HashSet<string>([.. server.DisabledCommands, .. rang ? Array.Empty<string>() : ["RANG"]])
            },
            FtpHarness.Options with
            {
                MaxSessions = Sessions,
                Pipelining = pipelining,
                ListingOffset = TimeSpan.FromHours(zone),
                TransferType = type,
                Tls = new FtpTlsOptions { AcceptAnyCertificate = server.Tls != FtpTestTls.None },
            });
        // All of them are there before the file is divided.
        await Task.WhenAll(Enumerable.Range(0, Sessions).Select(_ => ftp.Client.ListAsync("/").ToListAsync().AsTask()));
        return ftp;
    }

    private Task<TransferResult> GetAsync(FtpHarness ftp) =>
        ftp.Client.DownloadFileAsync("/file", Local, new() { Segments = Sessions, Overwrite = OverwriteMode.Always });

    private void AssertWhole(TransferResult result)
    {
        Assert.That(File.ReadAllBytes(Local).AsSpan().SequenceEqual(Content));
        Assert.That(result.Bytes, Is.EqualTo((long)Length));
        Assert.That(result.Verified, Is.EqualTo(VerificationMode.Size));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "file" }));
    }
}
