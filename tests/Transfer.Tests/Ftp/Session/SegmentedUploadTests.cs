using Transfer.Ftp;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Ftp.Session;

/// <summary>One large file that several FTP sessions send: only where somebody asks for it, and the server was found to take it.</summary>
[Category(Categories.Slow)]
public sealed class SegmentedUploadTests
{
    private const int Length = (6 << 20) + 1234;
    private const int Sessions = 4;

    // The trial's: one that is held open, inside it, behind its end, broken off.
    private const int TrialUploads = 4;
    private const int TrialOffsets = 3;

    // The trial has the first name of a job.
    private const string Divided = "/.transfer-*-2.part";

    private static readonly byte[] Content = FtpHarness.Content(Length, seed: 7);
    private static readonly DateTimeOffset Modified = new(2024, 5, 6, 7, 8, 9, TimeSpan.Zero);

    private readonly List<string> _refusals = [];
    private TempFolder _folder = null!;
    private string _local = null!;

    [SetUp]
    public void CreateFile()
    {
        _folder = new TempFolder();
        _local = _folder.Add("file", Content, Modified);
        _refusals.Clear();
    }

    [TearDown]
    public void DeleteFolder() => _folder.Dispose();

    [TestCase(FtpTestTls.None, FtpPipelining.Auto)]
    [TestCase(FtpTestTls.None, FtpPipelining.Off)]
    [TestCase(FtpTestTls.Explicit, FtpPipelining.Auto)]
    public async Task Asked_for_it_sessions_send_a_file_together_and_the_server_is_tried_once(FtpTestTls tls, FtpPipelining pipelining)
    {
        await using var ftp = await StartAsync(server: new FtpTestServerOptions { Tls = tls }, pipelining: pipelining);

        var result = await PutAsync(ftp);

        AssertWhole(ftp, result);
        Assert.That((await ftp.Store.GetAsync("/file"))!.Modified, Is.EqualTo(Modified));
        Assert.That(result.Verified, Is.EqualTo(VerificationMode.Size));
        var (uploads, offsets) = (Count(ftp, "STOR"), Count(ftp, "REST"));
        Assert.That(uploads, Is.GreaterThanOrEqualTo(TrialUploads + 1 + Sessions));
        Assert.That(uploads - offsets, Is.EqualTo(2), "The trial and the file are begun once each.");
        await PutAsync(ftp, "/again");
        Assert.That(ftp.Store.ReadFile("/again").AsSpan().SequenceEqual(Content));
        Assert.That(Count(ftp, "STOR") - Count(ftp, "REST"), Is.EqualTo(3), "It is known, and not tried again.");
        Assert.That(_refusals, Is.Empty);
        await AssertNothingLeftAsync(ftp);
    }

    [Test]
    public async Task A_folder_s_large_file_goes_so_too()
    {
        await using var ftp = await StartAsync();
        var result = await ftp.Client.UploadDirectoryAsync(_folder.Path, "/in", new() { Segments = Sessions });
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(ftp.Store.ReadFile("/in/file").AsSpan().SequenceEqual(Content));
        Assert.That(Count(ftp, "REST"), Is.GreaterThanOrEqualTo(TrialOffsets + Sessions));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/in/file" }));
    }

    [TestCase(null)]
    [TestCase(1)]
    public async Task Without_being_asked_nothing_is_tried(int? segments)
    {
        await using var ftp = await StartAsync();
        AssertWhole(ftp, await PutAsync(ftp, segments: segments));
        Assert.That((Count(ftp, "STOR"), Count(ftp, "REST")), Is.EqualTo((1, 0)));
        await PutAsync(ftp);
        var (uploads, offsets) = (Count(ftp, "STOR"), Count(ftp, "REST"));
        await PutAsync(ftp, segments: segments);
        Assert.That((Count(ftp, "STOR"), Count(ftp, "REST")), Is.EqualTo((uploads + 1, offsets)), "Also when it is known.");
    }

    [TestCase(SharedWrites.Wait)]
    [TestCase(SharedWrites.CutOff)]
    [TestCase(SharedWrites.WithoutGaps)]
    [TestCase(SharedWrites.DeletedWhenBroken)]
    public async Task Where_the_server_does_otherwise_the_file_goes_in_one_piece(SharedWrites kind)
    {
        await using var ftp = await StartAsync(kind);
        await AssertOnePieceAsync(ftp);
    }

    [TestCase("REST", "502 no", 0)]
    [TestCase("STOR", "451 no", 1)]
    [TestCase("STOR", "554 no", 2)]
    [TestCase("RETR", "550 no", 0)]
    public async Task What_the_server_refuses_of_the_trial_is_an_answer(string verb, string refusal, int skip)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply(verb, refusal, skip);
        await AssertOnePieceAsync(ftp);
    }

    [TestCase("STOR", 0, 2)]
    [TestCase("STOR", 1, 0)]
    [TestCase("STOR", 2, 0)]
    [TestCase("SIZE", 0, 0)]
    [TestCase("RETR", 0, 0)]
    public async Task No_answer_is_one_too_and_no_session_that_waits_for_one_is_used_again(string verb, int skip, int holds)
    {
        await using var ftp = await StartAsync();
        if (holds == 0) ftp.Server.Faults.Stall(verb, skip);
        else ftp.Server.Faults.StallData(holds, verb, skip);
        await AssertOnePieceAsync(ftp);
    }

    [TestCase(1)]
    [TestCase(3)]
    public async Task A_session_that_is_lost_over_the_trial_is_an_answer(int skip)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.DropConnection("STOR", executed: true, skip: skip);
        await AssertOnePieceAsync(ftp);
    }

    [Test]
    public async Task A_server_without_REST_is_not_tried()
    {
        await using var ftp = await StartAsync(server: new FtpTestServerOptions { DisabledCommands = new HashSet<string> { "REST" } });
        AssertWhole(ftp, await PutAsync(ftp));
        Assert.That((Count(ftp, "STOR"), ftp.Server.TotalConnections), Is.EqualTo((1, 1)));
        Assert.That(_refusals, Has.One.Contains("REST"));
    }

    [Test]
    public async Task A_server_that_has_one_session_only_gets_the_file_in_one_piece()
    {
        await using var ftp = await StartAsync(server: new FtpTestServerOptions { MaxConnectionsPerUser = 1 }, sessions: 1);
        AssertWhole(ftp, await PutAsync(ftp));
        Assert.That(Count(ftp, "STOR"), Is.EqualTo(1));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_segment_whose_session_is_lost_is_sent_again_unless_all_of_it_is_there(bool executed)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.DropConnection("STOR", executed, skip: 1, path: Divided);
        var result = await PutAsync(ftp);
        AssertWhole(ftp, result);
        Assert.That(result.Attempts, Is.EqualTo(executed ? 1 : 2));
        // What is read back of its end takes an offset too.
        Assert.That(ftp.Work.Count(command => command.Verb == "STOR" && !FollowsOffset(ftp, command)), Is.EqualTo(2),
            "The file is begun once.");
        await AssertNothingLeftAsync(ftp);
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_segment_that_the_server_cuts_is_sent_again(bool reset)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.CutData(500_000, "STOR", reset, skip: 2, path: Divided);
        var result = await PutAsync(ftp);
        AssertWhole(ftp, result);
        Assert.That(result.Attempts, Is.EqualTo(2));
        await AssertNothingLeftAsync(ftp);
    }

    [TestCase("451 later")]
    [TestCase("554 no")]
    public async Task A_segment_that_is_refused_leaves_its_offset_to_no_other_upload(string refusal)
    {
        await using var ftp = await StartAsync();
        // The server, which never executes it, keeps the offset.
        ftp.Server.Faults.Reply("STOR", refusal, skip: 1, path: Divided);
        AssertWhole(ftp, await PutAsync(ftp));
        await AssertNothingLeftAsync(ftp);
        // So many that each session gets some.
        await Task.WhenAll(Enumerable.Range(0, 4 * Sessions).Select(i => ftp.PutAsync($"/small{i}", Content[..10_000])));
        for (var i = 0; i < 4 * Sessions; i++) Same.Bytes(ftp.Store.ReadFile($"/small{i}"), Content.AsSpan(..10_000));
    }

    [TestCase("451 later")]
    [TestCase("501 no offsets")]
    public async Task An_offset_that_is_refused_begins_no_file_anew(string refusal)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("REST", refusal, skip: TrialOffsets + 1);
        AssertWhole(ftp, await PutAsync(ftp));
        foreach (var file in ftp.Work.Where(c => c.Verb == "STOR").GroupBy(c => c.Argument))
            Assert.That(file.Count(upload => !FollowsOffset(ftp, upload)), Is.EqualTo(1), file.Key);
        await AssertNothingLeftAsync(ftp);
    }

    [Test]
    public async Task A_beginning_whose_226_is_lost_is_not_sent_again_when_it_is_there()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.DropConnection("STOR", executed: true, path: Divided);
        AssertWhole(ftp, await PutAsync(ftp));
        Assert.That(ftp.Work.Where(c => c.Verb == "STOR").GroupBy(c => c.Argument).Count(), Is.EqualTo(2),
            "the trial's file, and this one");
        await AssertNothingLeftAsync(ftp);
    }

    [Test]
    public async Task A_beginning_of_which_nobody_knows_whether_it_arrived_is_sent_under_no_name_twice()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.DropConnection("STOR", path: Divided);
        var result = await PutAsync(ftp);
        AssertWhole(ftp, result);
        Assert.That(ftp.Work.Where(c => c.Verb == "STOR").GroupBy(c => c.Argument).Select(file => file.Count()),
            Is.EquivalentTo(new[] { TrialUploads, 1, 1 }));
        await AssertNothingLeftAsync(ftp);
    }

    [Test]
    public async Task A_beginning_that_is_refused_for_now_is_sent_again()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("STOR", "450 busy", path: Divided);
        AssertWhole(ftp, await PutAsync(ftp));
        Assert.That(Count(ftp, "REST"), Is.GreaterThanOrEqualTo(TrialOffsets + Sessions), "It is divided all the same.");
    }

    [Test]
    public async Task Text_is_not_divided()
    {
        File.WriteAllBytes(_local, Enumerable.Repeat((byte)'x', Length).ToArray());
        await using var ftp = await StartAsync(type: FtpTransferType.Ascii);
        await PutAsync(ftp);
        Assert.That(Count(ftp, "STOR"), Is.EqualTo(1));
        Assert.That(_refusals, Has.Count.EqualTo(1));
    }

    [TestCase(Sessions)]
    [TestCase(null)]
    public async Task One_that_is_broken_off_goes_on_in_segments_or_begins_anew(int? segments)
    {
        await using var ftp = await StartAsync();
        var options = new UploadOptions
        {
            Segments = Sessions,
            Overwrite = OverwriteMode.Always,
            Journal = _folder["journal"],
            Resume = true
        };
        // So that the last part has begun, and others have not come to their end: what is there looks like a beginning to whoever asks for
        // its length.
        var held = ftp.Server.Faults.StallData(100_000, "STOR", skip: 1, times: Sessions, path: Divided);
        using var stop = new CancellationTokenSource();
        var upload = ftp.Client.UploadFileAsync(_local, "/file", options, cancellationToken: stop.Token);
        await Eventually.TrueAsync(() => held.Fired == Sessions);
        await stop.CancelAsync();
        await Assert.CatchAsync<OperationCanceledException>(() => upload);
        held.Release();
        ftp.Server.Faults.Clear();
        var begun = ftp.Store.Files.Single();
        var before = Count(ftp, "STOR");
        await using var other = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = Sessions });

        var result = await other.UploadFileAsync(_local, "/file", options with { Segments = segments });

        Assert.That(ftp.Store.ReadFile("/file").AsSpan().SequenceEqual(Content));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/file" }));
        Assert.That(ftp.Work.Where(c => c.Verb == "STOR").Skip(before).Any(c => c.Argument == begun), Is.EqualTo(segments is not null),
            "It goes on where it was.");
    }

    private Task<FtpHarness> StartAsync(
        SharedWrites kind = SharedWrites.Allowed, FtpTestServerOptions? server = null, FtpPipelining pipelining = FtpPipelining.Auto,
        FtpTransferType type = FtpTransferType.Binary, int sessions = Sessions)
    {
        server ??= new FtpTestServerOptions();
        return FtpHarness.StartAsync(server, FtpHarness.Options with
        {
            MaxSessions = sessions,
            Pipelining = pipelining,
            TransferType = type,
            Tls = new FtpTlsOptions { AcceptAnyCertificate = server.Tls != FtpTestTls.None },
            LoggerFactory = new LogEvents(["WritesAlone"], _refusals.Add),
        }, store => new SharedWriteStore(store, kind));
    }

    private Task<TransferResult> PutAsync(FtpHarness ftp, string path = "/file", int? segments = Sessions) =>
        ftp.Client.UploadFileAsync(_local, path, new() { Segments = segments, Overwrite = OverwriteMode.Always });

    private async Task AssertOnePieceAsync(FtpHarness ftp)
    {
        AssertWhole(ftp, await PutAsync(ftp));
        Assert.That(_refusals, Has.Count.EqualTo(1));
        var before = Count(ftp, "STOR");
        AssertWhole(ftp, await PutAsync(ftp));
        Assert.That(Count(ftp, "STOR"), Is.EqualTo(before + 1), "It is remembered.");
        for (var i = 0; i < 2 * Sessions; i++) Assert.That((await ftp.PutAsync("/small", Content[..10_000])).Attempts, Is.EqualTo(1));
        Same.Bytes(ftp.Store.ReadFile("/small"), Content.AsSpan(..10_000));
        await ftp.Client.DeleteAsync("/small");
        ftp.Server.Faults.Clear();
        await AssertNothingLeftAsync(ftp);
    }

    private static void AssertWhole(FtpHarness ftp, TransferResult result)
    {
        Assert.That(ftp.Store.ReadFile("/file").AsSpan().SequenceEqual(Content));
        Assert.That(result.Bytes, Is.EqualTo((long)Length));
    }

    // A server may come to the end of a session that was lost some time later.
    private static Task AssertNothingLeftAsync(FtpHarness ftp) =>
        Eventually.TrueAsync(() => ftp.Store.Files.All(path => path is "/file" or "/again"));

    private static int Count(FtpHarness ftp, string verb) => ftp.Work.Count(c => c.Verb == verb);

    private static bool FollowsOffset(FtpHarness ftp, TestCommand upload) =>
        ftp.Work.TakeWhile(c => c != upload).LastOrDefault(c => c.Connection == upload.Connection) is { Verb: "REST" };
}
