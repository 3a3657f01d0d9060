using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// Whatever happens to an upload: the old file or the whole new one is there, nothing half, no temporary file, and the error says what it
/// was.
/// </summary>
[Category(Categories.Slow)]
public sealed class UploadFaultTests
{
    private const int Length = 300_000;

    private static readonly byte[] Old = FtpHarness.Content(1000, seed: 9);
    private static readonly byte[] New = FtpHarness.Content(Length, seed: 2);

    public static readonly TestCaseData[] Lasting =
    [
        Case("STOR refused with 550", TransferError.Denied, f => f.Reply("STOR", "550 no", times: 99)),
        Case("STOR refused with 553", TransferError.Denied, f => f.Reply("STOR", "553 no", times: 99)),
        Case("STOR refused with 552", TransferError.Quota, f => f.Reply("STOR", "552 full", times: 99)),
        Case("STOR refused with 452", TransferError.Quota, f => f.Reply("STOR", "452 full", times: 99)),
        Case("STOR refused after the data", TransferError.Quota, f => f.FinalReply("STOR", "552 full", times: 99)),
        Case("size disagrees", TransferError.Integrity, f => f.WrongSize("*.part", 17)),
        Case("size disagrees, and control is lost before DELE", TransferError.Integrity, f =>
        {
            f.WrongSize("*.part", 17);
            f.DropConnection("DELE");
        }),
        Case("bytes lost in silence", TransferError.Integrity, f => f.LoseData(70_000, "STOR", times: 99)),
        Case("data cut", TransferError.Lost, f => f.CutData(70_000, "STOR", times: 99)),
        Case("data cut at the first byte", TransferError.Lost, f => f.CutData(0, "STOR", times: 99)),
        Case("data reset", TransferError.Lost, f => f.CutData(70_001, "STOR", reset: true, times: 99)),
        Case("data connection refused", TransferError.Lost, f => f.RefuseData("STOR", times: 99)),
        Case("control lost before STOR", TransferError.Lost, f => f.DropConnection("STOR", times: 99)),
        Case("bytes and the control connection lost", TransferError.Lost, f =>
        {
            f.LoseData(70_000, "STOR", times: 99);
            f.DropConnection("STOR", executed: true, times: 99);
        }),
        Case("garbage instead of a reply", TransferError.Protocol,
            f => f.Garbage("STOR", new byte[] { 0xff, 0, (byte)'x', 13, 10 }, times: 99)),
        Case("a reply without an end", TransferError.Protocol, f => f.EndlessReply("STOR", 3_000_000, times: 99)),
        Case("lines without an end", TransferError.Protocol, f => f.EndlessLines("STOR", 30_000_000, times: 99)),
    ];

    public static readonly TestCaseData[] Silent =
    [
        Case("bytes lost, and 226 never comes", TransferError.Timeout, f =>
        {
            f.LoseData(70_000, "STOR", times: 99);
            f.OmitFinalReply("STOR", times: 99);
        }),
        Case("data stalls", TransferError.Timeout, f => f.StallData(70_000, "STOR", times: 99)),
    ];

    public static readonly TestCaseData[] Passing =
    [
        Once("control lost before STOR", f => f.DropConnection("STOR")),
        Once("control lost after STOR", f => f.DropConnection("STOR", executed: true, reset: true)),
        Once("control lost before SIZE", f => f.DropConnection("SIZE")),
        Once("control lost before RNFR", f => f.DropConnection("RNFR")),
        Once("control lost before RNTO", f => f.DropConnection("RNTO")),
        Once("control lost after RNTO", f => f.DropConnection("RNTO", executed: true)),
        Once("421 to STOR", f => f.Reply("STOR", "421 bye")),
        Once("garbage to EPSV", f => f.Garbage("EPSV", new byte[] { 1, 2, 3, 13, 10 })),
        Once("STOR answered twice", f => f.ReplyTwice("STOR")),
        Once("RNTO answered twice", f => f.ReplyTwice("RNTO")),
    ];

    [TestCase(PublishMode.Rename, "")]
    [TestCase(PublishMode.Direct, "")]
    [TestCase(PublishMode.Rename, "MLST MLSD")]
    public async Task Below_a_missing_folder_nothing_is_found_and_in_another_an_upload_is_denied(PublishMode publish, string without)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { DisabledCommands = without.Split(' ').ToHashSet() });
        ftp.Store.AddDirectory("/d");
        var options = new UploadOptions { Publish = publish };
        var missing = await FtpHarness.FailsAsync(() => ftp.PutAsync("/none/a", New, options));
        Assert.That(missing.Error, Is.EqualTo(TransferError.NotFound), missing.ToString());
        Assert.That(missing.Message, Does.Contain("/none does not exist"));
        ftp.Server.Faults.Reply("STOR", "550 no", times: 99);
        Assert.That((await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New, options))).Error, Is.EqualTo(TransferError.Denied));
    }

    [TestCaseSource(nameof(Lasting))]
    public async Task A_fault_that_lasts_leaves_the_old_file(TransferError expected, Action<FtpFaults> fault)
    {
        await using var ftp = await FtpHarness.StartAsync();
        await AssertOldStaysAsync(ftp, expected, fault);
    }

    [TestCaseSource(nameof(Silent))]
    public async Task A_server_that_falls_silent_ends_in_a_timeout_and_the_old_file_stays(TransferError expected, Action<FtpFaults> fault)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Impatient);
        await AssertOldStaysAsync(ftp, expected, fault);
    }

    [TestCaseSource(nameof(Passing))]
    public async Task A_session_lost_once_is_made_good(Action<FtpFaults> fault)
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        fault(ftp.Server.Faults);
        var result = await ftp.PutAsync("/d/a", New);
        Assert.That(result.Bytes, Is.EqualTo(Length));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
        await ftp.PutAsync("/d/a", Old);
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        Assert.That(ftp.Server.TotalConnections, Is.GreaterThan(1));
    }

    [Test]
    public async Task A_STOR_that_is_never_answered_is_a_timeout()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Impatient);
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.Stall("STOR", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New));
        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
    }

    [TestCase(FtpPipelining.Off)]
    [TestCase(FtpPipelining.PerFile)]
    [TestCase(FtpPipelining.Batched)]
    public async Task One_fault_in_a_batch_spares_the_neighbours(FtpPipelining pipelining)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { Pipelining = pipelining });
        using var folder = new TempFolder();
        for (var i = 0; i < 24; i++) folder.Add($"f{i:00}", FtpHarness.Content(5000 + i, i));
        ftp.Server.Faults.Reply("STOR", "550 no", skip: 3);
        ftp.Server.Faults.CutData(100, "STOR", skip: 9);
        ftp.Server.Faults.FinalReply("STOR", "552 full", skip: 14);
        ftp.Server.Faults.Reply("RNTO", "553 no", skip: 5);
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        // What was cut is sent again.
        Assert.That((result.Files, result.Failed, result.Retries), Is.EqualTo((21L, 3L, 1L)),
            string.Join('\n', result.Failures.Select(f => $"{f.Path} {f.Error?.Message}")));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), "refusals are no faults of the session");
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(21), "no temporary file is left");
        foreach (var file in ftp.Store.Files) Same.Bytes(ftp.Store.ReadFile(file), folder.Read(file[4..]), file);
    }

    [Test]
    public async Task A_full_disk_is_quota_and_nothing_is_left()
    {
        await using var ftp =
            await FtpHarness.StartAsync(new FtpTestServerOptions { Store = new Transfer.Testing.MemoryStore(capacity: 100_000) });
        ftp.Store.AddFile("/d/a", Old);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New));
        Assert.That(error.Error, Is.EqualTo(TransferError.Quota));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
    }

    [Test]
    public async Task A_source_that_vanishes_while_it_is_sent_fails_alone()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        using var source = new FailingStream(Length, failAt: 100_000);
        Assert.That(async () => await ftp.Client.UploadAsync(source, "/d/a", new UploadOptions { Overwrite = OverwriteMode.Always }),
            Throws.TypeOf<IOException>().With.Message.EqualTo("The share is gone."));
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        await ftp.PutAsync("/d/b", New);
        Same.Bytes(ftp.Store.ReadFile("/d/b"), New);
    }

    [Test]
    public async Task Cancelled_in_its_middle_it_leaves_the_old_file_and_throws_with_the_callers_token()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        var stall = ftp.Server.Faults.StallData(50_000, "STOR");
        using var cancel = new CancellationTokenSource();
        var upload = ftp.PutAsync("/d/a", FtpHarness.Content(20_000_000), ct: cancel.Token);
        await stall.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        await cancel.CancelAsync();
        var error = await Assert.CatchAsync<OperationCanceledException>(() => upload.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.That(error!.CancellationToken, Is.EqualTo(cancel.Token));
        stall.Release();
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        await ftp.PutAsync("/d/b", New);
        Same.Bytes(ftp.Store.ReadFile("/d/b"), New);
    }

    [Test]
    public async Task A_write_stream_disposed_without_a_commit_publishes_nothing_and_leaves_nothing()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/d/a", Old);
        await using (var stream = await ftp.Client.OpenWriteAsync("/d/a", new UploadOptions { Overwrite = OverwriteMode.Always }))
            await stream.WriteAsync(New);
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        await Eventually.IsAsync(() => ftp.Store.Files.Count, 1);
    }

    [Test]
    public async Task Over_tls_a_cut_is_no_end([Values(0, 1, 70_000)] int at)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Tls = FtpTestTls.Explicit },
            FtpHarness.Options with { Tls = new FtpTlsOptions { AcceptAnyCertificate = true } });
        await AssertOldStaysAsync(ftp, TransferError.Lost, f => f.CutData(at, "STOR", times: 99));
    }

    private static async Task AssertOldStaysAsync(FtpHarness ftp, TransferError expected, Action<FtpFaults> fault)
    {
        ftp.Store.AddFile("/d/a", Old);
        fault(ftp.Server.Faults);
        foreach (var path in (string[])["/d/new", "/d/a"])
        {
            var error = await FtpHarness.FailsAsync(() => ftp.PutAsync(path, New));
            Assert.That(error.Error, Is.EqualTo(expected), error.ToString());
        }
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        ftp.Server.Faults.Clear();
        await ftp.PutAsync("/d/after", New);
        Same.Bytes(ftp.Store.ReadFile("/d/after"), New);
        await Eventually.IsAsync(() => string.Join(' ', ftp.Store.Files), "/d/a /d/after");
    }

    private static TestCaseData Case(string name, TransferError error, Action<FtpFaults> fault) =>
        new TestCaseData(error, fault).SetArgDisplayNames(name);

    private static TestCaseData Once(string name, Action<FtpFaults> fault) => new TestCaseData(fault).SetArgDisplayNames(name);
}
