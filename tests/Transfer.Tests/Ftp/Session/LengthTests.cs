using Transfer.Ftp;
using Transfer.Testing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Session;

/// <summary>
/// Lengths are compared where SIZE is missing too, by MLST or the folder's listing, and what is told as verified is what was compared.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class LengthTests
{
    private const int Length = 100_000;

    private static readonly byte[] Old = FtpHarness.Content(1000, seed: 9);
    private static readonly byte[] New = FtpHarness.Content(Length, seed: 2);
    private static readonly string[] Refusals = ["500 what?", "502 no", "550 no such file"];
    private static readonly PublishMode[] Ways = [PublishMode.Rename, PublishMode.Direct];

    [Test]
    public async Task A_file_that_nothing_shows_after_its_226_is_no_success([ValueSource(nameof(Ways))] PublishMode publish)
    {
        await using var ftp = await StartAsync("MLST", "MLSD");
        ftp.Store.AddDiscardDirectory("/d");
        ftp.Server.Faults.Reply("SIZE", "550 no such file", times: 99);
        ftp.Server.Faults.Reply("MDTM", "550 no such file", times: 99);
        ftp.Server.Faults.SendData("LIST", Array.Empty<byte>(), times: 99);
        if (publish == PublishMode.Rename) ftp.Server.Faults.Reply("RNFR", "550 no such file", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New, Always with { Publish = publish }));
        if (publish == PublishMode.Direct)
        {
            Assert.That((error.Error, error.Message.Contains("--verify reply", StringComparison.Ordinal)),
                Is.EqualTo((TransferError.Integrity, true)));
        }
    }

    [TestCase(10L)]
    [TestCase((1L << 32) - 1)]
    [Category(Categories.Slow)]
    public async Task The_length_of_a_listing_counts_where_SIZE_counts_in_32_bits(long told)
    {
        await using var server = new OddServer
        {
            Features = ["EPSV", "SIZE", "MDTM", "REST STREAM", "MLST type*;size*;modify*;", "MLSD"],
            Reply = (verb, _) => verb switch
            {
                "SIZE" => $"213 {told}",
                "MLST" => "250-\r\n type=file;size=4294967306;modify=20240102030405; /a\r\n250 end",
                _ => null,
            },
        };
        server.Files["/a"] = Old;
        await using var client = new FtpTransferClient(server.Uri, FtpHarness.Options);
        using var folder = new TempFolder();
        var error = await FtpHarness.FailsAsync(() => client.DownloadFileAsync("/a", folder["a"]));
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity), error.ToString());
        Assert.That(error.Message, Does.Contain("1000 bytes arrived of a file of 4294967306"));
        Assert.That(folder.Files, Is.Empty);
    }

    [Test]
    public async Task The_source_of_a_file_that_no_look_finds_stays_unless_the_reply_is_to_suffice(
        [ValueSource(nameof(Ways))] PublishMode publish, [Values(VerificationMode.Reply, VerificationMode.Size)] VerificationMode verify)
    {
        await using var ftp = await StartAsync("MLST", "MLSD", "SIZE", "MDTM");
        ftp.Store.AddDirectory("/d");
        ftp.Server.Faults.SendData("LIST", Array.Empty<byte>(), times: 99);
        using var folder = new TempFolder();
        folder.Add("a", New);
        var options = new DirectoryOptions
        {
            Overwrite = OverwriteMode.Always,
            Publish = publish,
            RemoveSource = true,
            Verify = verify,
        };
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/d", options);
        var stays = verify == VerificationMode.Size;
        Assert.That((result.Failed, File.Exists(Path.Combine(folder.Path, "a"))), Is.EqualTo((stays ? 1L : 0L, stays)));
        Assert.That(result.Failures.All(failure => failure.Error!.Message.Contains("--verify reply", StringComparison.Ordinal)));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
    }

    [Test]
    public async Task Without_SIZE_an_upload_is_compared_by_what_else_tells_its_length(
        [ValueSource(nameof(Refusals))] string refusal, [Values] bool mlst, [ValueSource(nameof(Ways))] PublishMode publish)
    {
        await using var ftp = mlst ? await StartAsync() : await StartAsync("MLST", "MLSD");
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.Reply("SIZE", refusal, times: 99);
        var result = await ftp.PutAsync("/d/a", New, Always with { Publish = publish });
        Assert.That((result.Verified, result.Attempts), Is.EqualTo((VerificationMode.Size, 1)));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
    }

    [Test]
    public async Task Without_SIZE_an_upload_that_lost_bytes_is_no_success([ValueSource(nameof(Refusals))] string refusal,
        [Values] bool mlst)
    {
        await using var ftp = mlst ? await StartAsync() : await StartAsync("MLST", "MLSD");
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.Reply("SIZE", refusal, times: 99);
        ftp.Server.Faults.LoseData(70_000, "STOR", times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/d/a", New));
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), Old);
        Assert.That(ftp.Store.Files, Is.EqualTo(new[] { "/d/a" }));
    }

    [Test]
    public async Task A_server_that_tells_no_length_at_all_is_believed_and_that_is_said()
    {
        await using var ftp = await StartAsync("MLST", "MLSD", "SIZE", "MDTM");
        ftp.Store.AddFile("/d/a", Old);
        ftp.Server.Faults.Reply("LIST", "550 no", times: 99);
        Assert.That((await ftp.PutAsync("/d/a", New)).Verified, Is.EqualTo(VerificationMode.Reply));
        Same.Bytes(ftp.Store.ReadFile("/d/a"), New);
    }

    [Test]
    public async Task A_folder_without_SIZE_is_listed_for_several_files_together()
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Greeting = "Ready", DisabledCommands = new HashSet<string> { "MLST", "MLSD", "SIZE" } },
            FtpHarness.Options with { MaxSessions = 4 });
        using var folder = new TempFolder();
        for (var i = 0; i < 40; i++) folder.Add($"f{i:00}", FtpHarness.Content(500 + i, i));
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed, result.Verified), Is.EqualTo((40L, 0L, VerificationMode.Size)),
            string.Join('\n', result.Failures.Select(f => f.Error?.Message)));
        foreach (var file in ftp.Store.Files) Same.Bytes(ftp.Store.ReadFile(file), folder.Read(file[4..]), file);
    }

    [TestCase(Length - 1)]
    [TestCase(Length + 1)]
    [TestCase(0)]
    public async Task Without_SIZE_a_download_has_the_length_that_the_listing_told(int arrives)
    {
        await using var ftp = await StartAsync("SIZE", "MLST", "MLSD");
        ftp.Store.AddFile("/d/a", New);
        ftp.Server.Faults.SendData("RETR", FtpHarness.Content(arrives), times: 99);
        using var here = new TempFolder();
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DownloadFileAsync("/d/a", here["a"]));
        Assert.That(error.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(here.Files, Is.Empty);
    }

    [Test]
    public async Task Without_SIZE_a_download_that_fits_the_listing_is_verified_by_it()
    {
        await using var ftp = await StartAsync("SIZE", "MLST", "MLSD");
        ftp.Store.AddFile("/d/a", New);
        using var here = new TempFolder();
        Assert.That((await ftp.Client.DownloadFileAsync("/d/a", here["a"])).Verified, Is.EqualTo(VerificationMode.Size));
        var folder = await ftp.Client.DownloadDirectoryAsync("/d", here["d"]);
        Assert.That((folder.Files, folder.Verified), Is.EqualTo((1L, VerificationMode.Size)));
    }

    [TestCase(1)] // the look
    [TestCase(2)] // and what goes in front of the transfer
    public async Task A_file_that_grows_while_it_is_fetched_is_asked_for_again(int told)
    {
        await using var ftp = await StartAsync("MLST", "MLSD");
        ftp.Store.AddFile("/d/a", New);
        ftp.Server.Faults.Reply("SIZE", $"213 {Length / 2}", times: told);
        using var here = new TempFolder();
        var result = await ftp.Client.DownloadFileAsync("/d/a", here["a"]);
        Assert.That((result.Bytes, result.Verified), Is.EqualTo(((long)Length, VerificationMode.Size)));
        Same.Bytes(here.Read("a"), New);
        // What is here already is asked for again only to be compared: before the rest and behind it.
        Assert.That(result.ResumedAt, Is.EqualTo(told == 2 ? Length / 2 : 0));
        Assert.That(ftp.Work.Where(command => command.Verb is "RETR" or "REST").Select(command => command.Argument),
            Is.EqualTo(told == 1 ? ["/d/a"] : new[] { "/d/a", "/d/a", $"{Length / 2}", "/d/a", "/d/a", $"{64 << 10}", "/d/a" }));
    }

    [Test]
    public async Task A_file_that_grows_comes_whole_into_a_stream_too()
    {
        await using var ftp = await StartAsync("MLST", "MLSD");
        ftp.Store.AddFile("/d/a", New);
        ftp.Server.Faults.Reply("SIZE", $"213 {Length / 2}", times: 2);
        Same.Bytes(await ftp.GetAsync("/d/a"), New);
    }

    [Test]
    public async Task A_named_pipe_is_refused_before_it_is_read([Values("get", "stream", "copy")] string way)
    {
        await using var ftp = await StartAsync("SIZE", "MDTM", "MLST", "MLSD");
        await using var target = await StartAsync();
        ftp.Store.AddFile("/d/a", []);
        var listing = "prw-r--r--   1 alice    users           0 Mar  5 10:22 a\r\n"u8.ToArray();
        ftp.Server.Faults.SendData("LIST", listing, times: 99);
        using var here = new TempFolder();
        var error = await FtpHarness.FailsAsync(() => way switch
        {
            "get" => ftp.Client.DownloadFileAsync("/d/a", here["a"]),
            "copy" => ftp.Client.CopyFileAsync("/d/a", target.Client, "/b"),
            _ => ftp.GetAsync("/d/a"),
        });
        Assert.That((error.Error, error.Message.Contains("a pipe", StringComparison.Ordinal)),
            Is.EqualTo((TransferError.Unsupported, true)), error.Message);
        Assert.That(ftp.Work.Count(command => command.Verb == "RETR"), Is.Zero);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_server_that_sends_on_and_on_is_cut_behind_the_length_that_it_told(bool hasSize)
    {
        await using var ftp = await StartAsync(hasSize ? ["MLST", "MLSD"] : ["SIZE", "MLST", "MLSD"]);
        ftp.Store.AddFile("/d/a", New);
        ftp.Server.Faults.SendData("RETR", FtpHarness.Content(64 << 20), times: 99);
        using var sink = new MemoryStream();
        var error = await FtpHarness.FailsAsync(() => ftp.Client.DownloadAsync("/d/a", sink));
        Assert.That((error.Error, error.IsTransient), Is.EqualTo((TransferError.Integrity, false)), error.Message);
        Assert.That(error.Message, Does.Contain($"{Length}"));
        Assert.That(sink.Length, Is.LessThanOrEqualTo(Length + 1));
    }

    [Test]
    public async Task A_text_has_another_length_on_its_way_and_that_is_no_difference()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TransferType = FtpTransferType.Ascii });
        using var here = new TempFolder();
        var text = string.Concat(Enumerable.Repeat("line\r\n", 1000));
        ftp.Store.AddFile("/d/a", System.Text.Encoding.ASCII.GetBytes(text), Samples.Time);
        var result = await ftp.Client.DownloadDirectoryAsync("/d", here.Path);
        Assert.That((result.Files, result.Failed, result.Verified), Is.EqualTo((1L, 0L, VerificationMode.Reply)));
        var again = await ftp.Client.SynchronizeAsync(here.Path, "/d", SyncDirection.Down, new SyncOptions());
        Assert.That((again.Files, again.Unchanged), Is.EqualTo((0L, 1L)));
    }

    [Test]
    public async Task A_copy_is_not_cut_where_its_source_was_when_it_was_looked_at()
    {
        await using var from = await StartAsync("MLST", "MLSD");
        await using var to = await StartAsync();
        to.Store.AddDirectory("/d");
        from.Store.AddFile("/d/a", FtpHarness.Content(3 * Length));
        from.Server.Faults.Reply("SIZE", $"213 {Length}");
        await from.Client.CopyFileAsync("/d/a", to.Client, "/d/b");
        Same.Bytes(to.Store.ReadFile("/d/b"), FtpHarness.Content(3 * Length));
    }

    private static UploadOptions Always { get; } = new() { Overwrite = OverwriteMode.Always };

    // Of a server that nothing is known of.
    private static Task<FtpHarness> StartAsync(params string[] missing) =>
        FtpHarness.StartAsync(new FtpTestServerOptions { Greeting = "Ready", DisabledCommands = new HashSet<string>(missing) });
}
