using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Engine;
using MemoryStore = Transfer.Testing.MemoryStore;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Whatever happens to a download: the old file or the whole new one is there, and the session goes on where it can.</summary>
[Category(Categories.Slow)]
public sealed class DownloadFaultTests
{
    private const int Length = 300_000;

    private static readonly byte[] Content = FtpHarness.Content(Length, seed: 3);

    private static FtpOptions Tls { get; } = FtpHarness.Options with { Tls = new FtpTlsOptions { AcceptAnyCertificate = true } };

    public static readonly TestCaseData[] Faults =
    [
        Case("RETR refused", TransferError.Denied, f => f.Reply("RETR", "550 no", times: 99)),
        Case("refused after the data", TransferError.Lost, f => f.FinalReply("RETR", "451 disk error", times: 99)),
        Case("size disagrees", TransferError.Integrity, f => f.WrongSize("*", Length + 1)),
        Case("cut", TransferError.Lost, f => f.CutData(70_000, "RETR", times: 99)),
        Case("cut at the first byte", TransferError.Lost, f => f.CutData(0, "RETR", times: 99)),
        Case("reset", TransferError.Lost, f => f.CutData(70_001, "RETR", reset: true, times: 99)),
        Case("short and yet 226", TransferError.Integrity, f => f.SendData("RETR", new byte[10], times: 99)),
        Case("reset short and yet 226", TransferError.Lost, f =>
        {
            f.CutData(70_001, "RETR", reset: true, times: 99);
            f.FinalReply("RETR", "226 done", times: 99);
        }),
        Case("reset at the end, and no 226", TransferError.Lost, f => f.CutData(Length, "RETR", reset: true, times: 99)),
        Case("data connection refused", TransferError.Lost, f => f.RefuseData("RETR", times: 99)),
        Case("control lost", TransferError.Lost, f => f.DropConnection("RETR", times: 99)),
        Case("garbage", TransferError.Protocol, f => f.Garbage("RETR", new byte[] { 0, 255, 10 }, times: 99)),
    ];

    public static readonly TestCaseData[] Silent =
    [
        Case("bytes missing, and 226 never comes", TransferError.Timeout, f =>
        {
            f.SendData("RETR", new byte[1000], times: 99);
            f.OmitFinalReply("RETR", times: 99);
        }),
        Case("data stalls", TransferError.Timeout, f => f.StallData(70_000, "RETR", times: 99)),
    ];

    [TestCaseSource(nameof(Faults))]
    public async Task A_fault_leaves_the_old_file(TransferError expected, Action<FtpFaults> fault) =>
        await AssertOldStaysAsync(FtpHarness.Options, new(), expected, fault);

    [TestCaseSource(nameof(Silent))]
    public async Task A_silent_server_leaves_the_old_file(TransferError expected, Action<FtpFaults> fault) =>
        await AssertOldStaysAsync(FtpHarness.Impatient, new(), expected, fault);

    [TestCase(null, 2)]
    [TestCase("502 what?", 3)]
    public async Task A_broken_download_goes_on_by_REST_though_FEAT_does_not_name_it_and_begins_anew_where_REST_is_refused(
        string? refusal, int transfers)
    {
        await using var ftp = await FtpHarness.StartAsync(new(), FtpHarness.Options with { Retry = Samples.SoonAgain });
        ftp.Store.AddFile("/a", FtpHarness.Content(32 << 20, seed: 4));
        ftp.Server.Faults.Reply("FEAT", "211-has\r\n SIZE\r\n MDTM\r\n EPSV\r\n211 end", times: 99);
        if (refusal is not null) ftp.Server.Faults.Reply("REST", refusal, times: 99);
        ftp.Server.Faults.CutData(24 << 20, "RETR");
        using var folder = new TempFolder();
        await ftp.Client.DownloadFileAsync("/a", folder["a"], new DownloadOptions { Journal = folder["journal"], Resume = true });
        Same.Bytes(await File.ReadAllBytesAsync(folder["a"]), FtpHarness.Content(32 << 20, seed: 4));
        Assert.That(ftp.Server.Commands.Count(command => command.Verb == "REST"), Is.GreaterThanOrEqualTo(1));
        Assert.That(ftp.Server.Commands.Count(command => command.Verb == "RETR"), Is.GreaterThanOrEqualTo(transfers));
    }

    [Test]
    public async Task A_file_that_is_stored_between_its_refusal_and_the_look_is_read(
        [Values(FtpPipelining.Off, FtpPipelining.PerFile, FtpPipelining.Batched)] FtpPipelining pipelining)
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { Pipelining = pipelining });
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.Reply("RETR", "550 no such file");
        Same.Bytes(await ftp.GetAsync("/a"), Content);
        Assert.That(ftp.Work.Count(command => command.Verb == "RETR"), Is.EqualTo(2));
    }

    public static readonly TestCaseData[] Truncations =
    [
        Case("at the first byte", TransferError.Integrity, f => f.TruncateTls("RETR", 0, times: 99)),
        Case("in the midst", TransferError.Integrity, f => f.TruncateTls("RETR", 70_000, times: 99)),
        Case("at the first byte, and the listing shows 0 for files", TransferError.Integrity, f =>
        {
            f.Reply("SIZE", "500 no", times: 99);
            f.WrongSize("*", 0);
            f.TruncateTls("RETR", 0, times: 99);
        }),
        Case("at the end, and the size disagrees", TransferError.Integrity, f =>
        {
            f.WrongSize("*", Length + 1);
            f.TruncateTls("RETR", null, times: 99);
        }),
        Case("at the end, and the reply is no 226", TransferError.Lost, f =>
        {
            f.TruncateTls("RETR", null, times: 99);
            f.FinalReply("RETR", "451 disk error", times: 99);
        }),
        Case("at the end, and the session is lost before the 226", TransferError.Lost, f =>
        {
            f.TruncateTls("RETR", null, times: 99);
            f.DropConnection("RETR", executed: true, times: 99);
        }),
    ];

    [TestCaseSource(nameof(Truncations))]
    public async Task Tls_that_ends_without_close_notify_is_cut(TransferError expected, Action<FtpFaults> fault) =>
        await AssertOldStaysAsync(Tls, new FtpTestServerOptions { Tls = FtpTestTls.Explicit }, expected, fault);

    [Test]
    public async Task An_end_without_close_notify_is_whole_where_length_and_reply_agree_with_a_warning_once_a_host()
    {
        var warned = new List<string>();
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Tls = FtpTestTls.Explicit },
            Tls with { LoggerFactory = new LogEvents(["EndUnconfirmed"], text => { lock (warned) warned.Add(text); }) });
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.TruncateTls("RETR", null, times: 99);
        Same.Bytes(await ftp.GetAsync("/a"), Content);
        Same.Bytes(await ftp.GetAsync("/a"), Content);
        Assert.That(warned, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task What_is_read_back_to_be_hashed_may_end_without_close_notify([Values(0, 300_000)] int length, [Values] bool upload)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions
        {
            Tls = FtpTestTls.Explicit,
            DisabledCommands = new HashSet<string> { "HASH", "XSHA256", "XSHA512", "XSHA1", "XSHA", "XMD5", "MD5" },
        }, Tls);
        var content = FtpHarness.Content(length);
        ftp.Store.AddFile("/a", content);
        ftp.Server.Faults.TruncateTls("RETR", null, times: 99);
        using var stream = new MemoryStream();
        var result = upload
            ? await ftp.PutAsync("/b", content, new() { Verify = VerificationMode.Hash })
            : await ftp.Client.DownloadAsync("/a", stream, new() { Verify = VerificationMode.Hash });
        Assert.That(result.Verified, Is.EqualTo(VerificationMode.Hash));
        Same.Bytes(upload ? ftp.Store.ReadFile("/b") : stream.ToArray(), content);
    }

    [Test]
    public async Task Without_a_length_to_compare_an_end_without_close_notify_is_cut()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit }, Tls);
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.TruncateTls("RETR", null, times: 99);
        using var stream = new MemoryStream();
        var error = await FtpHarness.FailsAsync(
            () => ftp.Client.DownloadAsync("/a", stream, new DownloadOptions { Verify = VerificationMode.Reply }));
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
    }

    [TestCase(5, null)]
    [TestCase(5, 200_000)]
    public async Task A_range_that_ends_early_without_close_notify_never_counts(int offset, int? length)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit }, Tls);
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.TruncateTls("RETR", 70_000, times: 99);
        await using var stream = await ftp.Client.OpenReadAsync("/a", new ReadOptions { Offset = offset, Length = length });
        using var copy = new MemoryStream();
        try
        {
            await stream.CopyToAsync(copy);
        }
        catch (TransferException error)
        {
            Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
            return;
        }
        Same.Bytes(copy.ToArray(), Content.AsSpan(offset..(offset + (length ?? (Length - offset)))));
    }

    [Test]
    public async Task Ranges_come_exactly_and_on_one_session()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/a", Content);
        foreach (var (offset, length) in ((long,
            long?)[])[(0, 10), (5, 100_000), (100_000, 1), (Length - 7, null), (Length - 7, 7), (0, null), (17, 200_000)])
        {
            await using var stream = await ftp.Client.OpenReadAsync("/a", new ReadOptions { Offset = offset, Length = length });
            using var copy = new MemoryStream();
            await stream.CopyToAsync(copy);
            Same.Bytes(copy.ToArray(), Content.AsSpan((int)offset..(int)(offset + (length ?? (Length - offset)))), $"{offset} {length}");
        }
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1));
        Assert.That(ftp.Work.Count(c => c.Verb == "REST"), Is.EqualTo(5));
    }

    [Test]
    public async Task A_refused_REST_never_gives_the_files_beginning()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.Reply("REST", "502 no");
        var error = await FtpHarness.FailsAsync(
            async () => await (await ftp.Client.OpenReadAsync("/a", new ReadOptions { Offset = 100 })).ReadExactlyAsync(new byte[1]));
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
        Same.Bytes(await ftp.GetAsync("/a"), Content);
    }

    [Test]
    public async Task Hostile_and_clashing_names_in_a_listing_stay_inside_the_target()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/out/good", Content);
        var listing = string.Concat(
            ((string[])["../evil", "..", "/etc/evil", "good", "sub/evil", "a\0b", "..\\evil"])
            .Select(name => $"type=file;size={Length};modify=20240101000000; {name}\r\n"));
        ftp.Server.Faults.SendData("MLSD", System.Text.Encoding.UTF8.GetBytes(listing), times: 9);
        using var outer = new TempFolder();
        var inner = Directory.CreateDirectory(outer["in"]).FullName;
        var result = await ftp.Client.DownloadDirectoryAsync("/out", inner);
        Assert.That(outer.Files, Does.Contain("in/good"));
        Assert.That(outer.Files.Where(file => !file.StartsWith("in/", StringComparison.Ordinal)), Is.Empty);
        Same.Bytes(outer.Read("in/good"), Content);
        Assert.That(result.Files, Is.EqualTo(1));
        Assert.That(ftp.Work.Where(c => c.Verb == "RETR").Select(c => c.Argument), Has.None.Contains("evil").Or.None.Contains("etc"));
    }

    [Test]
    public async Task Names_that_differ_only_in_case_are_both_there_or_one_is_told_of()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/out/name", "lower"u8);
        ftp.Store.AddFile("/out/NAME", "upper"u8);
        using var folder = new TempFolder();
        var result = await ftp.Client.DownloadDirectoryAsync("/out", folder.Path);
        Assert.That(result.Files + result.Failed, Is.EqualTo(2));
        Assert.That(folder.Files, Has.Count.EqualTo(result.Files));
        if (OperatingSystem.IsLinux()) Assert.That(folder.Read("NAME"), Is.EqualTo("upper"u8.ToArray()));
    }

    /// <summary>ProFTPD, which found no port, tries to connect to us then; where nobody answers it is silent for minutes.</summary>
    [Test]
    public async Task A_server_that_refuses_the_data_connection_and_is_silent_about_the_transfer_behind_it_loses_its_session()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { IdleTimeout = Timeout.InfiniteTimeSpan });
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.Reply("EPSV", "425 no port");
        ftp.Server.Faults.Stall("RETR");
        Same.Bytes(await ftp.GetAsync("/a").WaitAsync(TimeSpan.FromSeconds(50)), Content);
        Assert.That(ftp.Work.Select(command => command.Verb), Has.Exactly(2).AnyOf("EPSV", "PASV"));
    }

    [Test]
    [NonParallelizable]
    public async Task Two_hundred_thousand_entries_are_listed_in_bounded_memory()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddSyntheticDirectory("/many", 200_000, 5);
        var (count, most, before) = (0, 0L, GC.GetTotalMemory(forceFullCollection: true));
        await foreach (var entry in ftp.Client.ListAsync("/many"))
        {
            if (++count % 50_000 == 0) most = Math.Max(most, GC.GetTotalMemory(forceFullCollection: true) - before);
        }
        Assert.That(count, Is.EqualTo(200_000));
        Assert.That(most, Is.LessThan(64_000_000), "the entries alone would be more");
    }

    [Test]
    public async Task A_listing_that_is_cut_or_refused_throws_and_is_never_short()
    {
        await using var ftp = await FtpHarness.StartAsync();
        const int entries = 120_000;
        ftp.Store.AddSyntheticDirectory("/many", entries);
        // More than the system's buffers hold: a listing of which nothing was read is requested again.
        ftp.Server.Faults.CutData(6_000_000, "MLSD");
        Assert.That((await FtpHarness.FailsAsync(() => CountAsync(ftp))).Error, Is.EqualTo(TransferError.Lost));
        // Once more, since a folder that is refused and then entered may have been made in between.
        for (var i = 0; i < 2; i++) ftp.Server.Faults.Reply("MLSD", "550 no");
        Assert.That((await FtpHarness.FailsAsync(() => CountAsync(ftp))).Error,
            Is.EqualTo(TransferError.NotFound).Or.EqualTo(TransferError.Denied));
        Assert.That(await CountAsync(ftp), Is.EqualTo(entries));
    }

    [Test]
    public async Task A_listing_left_early_does_not_spoil_what_follows()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddSyntheticDirectory("/many", 50_000);
        await foreach (var entry in ftp.Client.ListAsync("/many")) break;
        Assert.That(await ftp.Client.GetEntryAsync("/many"), Is.Not.Null);
    }

    private static async Task<int> CountAsync(FtpHarness ftp)
    {
        var count = 0;
        await foreach (var entry in ftp.Client.ListAsync("/many")) count++;
        return count;
    }

    private static async Task AssertOldStaysAsync(FtpOptions options, FtpTestServerOptions server, TransferError expected,
        Action<FtpFaults> fault)
    {
        await using var ftp = await FtpHarness.StartAsync(server with { Store = new MemoryStore() }, options);
        ftp.Store.AddFile("/a", Content);
        using var folder = new TempFolder();
        folder.Add("a", [1, 2, 3]);
        fault(ftp.Server.Faults);
        var error = await FtpHarness.FailsAsync(
            () => ftp.Client.DownloadFileAsync("/a", folder["a"], new DownloadOptions { Overwrite = OverwriteMode.Always }));
        Assert.That(error.Error, Is.EqualTo(expected), error.ToString());
        Assert.That(folder.Files, Is.EqualTo(new[] { "a" }));
        Assert.That(folder.Read("a"), Is.EqualTo(new byte[] { 1, 2, 3 }));
        ftp.Server.Faults.Clear();
        await ftp.Client.DownloadFileAsync("/a", folder["a"], new DownloadOptions { Overwrite = OverwriteMode.Always });
        Same.Bytes(folder.Read("a"), Content);
    }

    private static TestCaseData Case(string name, TransferError error, Action<FtpFaults> fault) =>
        new TestCaseData(error, fault).SetArgDisplayNames(name);
}
