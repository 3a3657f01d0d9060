using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Faults and limits of an embedded SFTP server, as clients see them.</summary>
[Category(Categories.Slow)]
internal sealed class SftpFaultTests
{
    private MemoryStore _store = null!;

    [SetUp]
    public void SetUp() => _store = new MemoryStore();

    [Test]
    public async Task A_status_refuses_a_request_for_a_path_once()
    {
        await using var server = await StartAsync();
        var fault = server.Faults.Status("OPEN", SftpTestStatus.PermissionDenied, "no", path: "/b*");
        await using var client = server.Client();
        await client.PutAsync("/a", [1], Direct);
        var error = await SftpServerHarness.FailsAsync(() => client.PutAsync("/b", [1], Direct));
        Assert.That((error.Error, fault.Fired), Is.EqualTo((TransferError.Denied, 1)));
        await client.PutAsync("/b", [1], Direct);
    }

    [Test]
    public async Task A_final_status_hides_that_a_request_was_executed()
    {
        await using var server = await StartAsync();
        server.Faults.FinalStatus("MKDIR", SftpTestStatus.Failure);
        await using var sftp = await RawSftp.StartAsync(server);
        Assert.That(await sftp.StatusAsync(SftpPacketType.MkDir, "/d", default(SftpAttributes)), Is.EqualTo(SftpStatus.Failure));
        Assert.That(_store.Directories, Is.EqualTo(new[] { "/d" }));
    }

    [Test]
    public async Task A_reply_may_never_come_or_come_twice()
    {
        await using var server = await StartAsync();
        await using (var client = server.Client(options => options with { IdleTimeout = TimeSpan.FromMilliseconds(400), Retry = Once }))
        {
            server.Faults.OmitReply("LSTAT", times: int.MaxValue);
            server.Faults.OmitReply("STAT", times: int.MaxValue);
            Assert.That((await SftpServerHarness.FailsAsync(async () => await client.GetEntryAsync("/a"))).Error,
                Is.EqualTo(TransferError.Timeout));
            server.Faults.Clear();
        }

        server.Faults.ReplyTwice("REALPATH", path: "/x");
        await using var sftp = await RawSftp.StartAsync(server);
        Assert.That(await sftp.PathAsync(SftpPacketType.RealPath, "/x"), Is.EqualTo("/x"));
        Assert.That((await sftp.ReceiveAsync())[0], Is.EqualTo((byte)SftpPacketType.Name), "once more");
    }

    [Test]
    public async Task A_file_whose_OPEN_is_not_answered_is_tried_as_often_as_asked_for_and_fails_by_the_time_out()
    {
        _store.AddFile("/pipe", [1]);
        _store.AddFile("/a", [2]);
        await using var server = await StartAsync();
        var silent = server.Faults.Stall("OPEN", times: int.MaxValue, path: "/pipe");
        await using var client = server.Client(options => options with { IdleTimeout = TimeSpan.FromSeconds(2), Retry = Once });
        using var folder = new TempFolder();
        var error = await SftpServerHarness.FailsAsync(() => client.DownloadFileAsync("/pipe", folder["pipe"]));
        Assert.That((error.Error, silent.Fired), Is.EqualTo((TransferError.Timeout, 1)), error.Message);
        FileDownload[] files = [new("/pipe", folder["pipe"]), new("/a", folder["a"])];
        var result = await client.DownloadFilesAsync(files.ToAsyncEnumerable(), new()).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 1L)));
        Assert.That(folder.Files, Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task A_connection_is_dropped_before_or_after_a_request([Values] bool executed, [Values] bool reset)
    {
        await using var server = await StartAsync();
        server.Faults.DropConnection("MKDIR", executed, reset);
        await using var sftp = await RawSftp.StartAsync(server);
        Assert.That(async () => await sftp.StatusAsync(SftpPacketType.MkDir, "/d", default(SftpAttributes)),
            Throws.InstanceOf<IOException>());
        Assert.That(_store.Exists("/d"), Is.EqualTo(executed));
    }

    [Test]
    public async Task A_stalled_request_goes_on_when_it_is_released()
    {
        await using var server = await StartAsync();
        var fault = server.Faults.Stall("MKDIR");
        await using var client = server.Client();
        var making = client.CreateDirectoryAsync("/d").AsTask();
        await fault.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        Assert.That((making.IsCompleted, _store.Exists("/d")), Is.EqualTo((false, false)));
        fault.Release();
        await making.WaitAsync(TimeSpan.FromSeconds(20));
        Assert.That(_store.Exists("/d"), Is.True);
    }

    [Test]
    public async Task Delays_go_by_the_options_clock()
    {
        var time = new ManualTime();
        await using var server = await StartAsync(new() { TimeProvider = time });
        var fault = server.Faults.Delay("MKDIR", TimeSpan.FromHours(1));
        await using var sftp = await RawSftp.StartAsync(server);
        var making = sftp.StatusAsync(SftpPacketType.MkDir, "/d", default(SftpAttributes));
        await fault.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        while (!making.IsCompleted)
        {
            time.Advance(TimeSpan.FromHours(1));
            await Task.Yield();
        }

        Assert.That(await making, Is.EqualTo(SftpStatus.Ok));
    }

    [Test]
    public async Task Garbage_is_no_reply()
    {
        await using var server = await StartAsync();
        server.Faults.Garbage("LSTAT", new byte[] { 0xFF, 0xFF, 0xFF, 0xFF });
        server.Faults.Garbage("STAT", new byte[] { 0xFF, 0xFF, 0xFF, 0xFF });
        await using var client = server.Client(options => options with { Retry = Once });
        Assert.That((await SftpServerHarness.FailsAsync(async () => await client.GetEntryAsync("/a"))).Error,
            Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task An_upload_that_is_cut_keeps_its_bytes_and_is_resumed()
    {
        await using var server = await StartAsync();
        var content = SftpServerHarness.Content(3_000_000);
        var fault = server.Faults.CutData(1_000_000, "WRITE");
        await using (var once = server.Client(options => options with { Retry = Once }))
        {
            await SftpServerHarness.FailsAsync(() => once.PutAsync("/a", content, Direct));
            Assert.That(fault.Fired, Is.EqualTo(1));
            Same.Bytes(_store.ReadFile("/a"), content.AsSpan(..1_000_000));
        }

        server.Faults.CutData(1_000_000, "WRITE");
        await using var client = server.Client(Swift);
        await client.PutAsync("/a", content);
        Same.Bytes(_store.ReadFile("/a"), content);
    }

    [Test]
    public async Task A_download_is_cut_at_the_byte([Values] bool reset)
    {
        var content = SftpServerHarness.Content(200_000);
        _store.AddFile("/a", content);
        await using var server = await StartAsync(new() { Link = new LinkOptions() });
        server.Faults.CutData(150_000, "READ", reset);
        await using (var sftp = await RawSftp.StartAsync(server))
        {
            var handle = await sftp.OpenAsync("/a", SftpOpenFlags.Read);
            Same.Bytes(await sftp.ReadAsync(handle, 0, 100_000), content.AsSpan(0, 100_000));
            Assert.That(ReadOnAsync, Throws.InstanceOf<IOException>());

            async Task ReadOnAsync()
            {
                await sftp.ReadAsync(handle, 100_000, 100_000);
                await sftp.ReadAsync(handle, 0, 1);
            }
        }

        // A pipe that has failed may keep its last bytes to itself: the link has counted them.
        if (!reset) Assert.That(server.Link!.BytesBack, Is.InRange(150_000, 165_000));
        server.Faults.CutData(150_000, "READ", reset);
        await using var client = server.Client();
        Same.Bytes(await client.GetAsync("/a"), content);
    }

    [Test]
    public async Task Content_is_corrupted_or_lost_silently()
    {
        var content = SftpServerHarness.Content(100_000);
        _store.AddFile("/a", content);
        await using var server = await StartAsync();
        server.Faults.CorruptData(70_000, "READ");
        server.Faults.LoseData(40_000, path: "/b");
        await using var client = server.Client();
        var read = await client.GetAsync("/a");
        Assert.That(Enumerable.Range(0, content.Length).Where(i => read[i] != content[i]), Is.EqualTo(new[] { 70_000 }));
        await SftpServerHarness.FailsAsync(() => client.PutAsync("/b", content, Direct));
        Same.Bytes(_store.ReadFile("/b"), content.AsSpan(0, 40_000));
    }

    [Test]
    public async Task Content_stalls_until_it_is_released()
    {
        var content = SftpServerHarness.Content(1_000_000);
        _store.AddFile("/a", content);
        await using var server = await StartAsync();
        var fault = server.Faults.StallData(500_000, "READ");
        await using var client = server.Client();
        var reading = client.GetAsync("/a");
        await fault.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
        Assert.That(reading.IsCompleted, Is.False);
        fault.Release();
        Same.Bytes(await reading.WaitAsync(TimeSpan.FromSeconds(20)), content);
    }

    [Test]
    public async Task A_wrong_size_is_shown_everywhere()
    {
        _store.AddFile("/a", [1, 2, 3]);
        await using var server = await StartAsync();
        server.Faults.WrongSize("/a", 99);
        await using var client = server.Client();
        Assert.That((await client.GetEntryAsync("/a"))!.Length, Is.EqualTo(99));
        await foreach (var entry in client.ListAsync("/")) Assert.That(entry.Length, Is.EqualTo(99));
    }

    [Test]
    public async Task Greetings_log_ins_channels_and_subsystems_are_refused()
    {
        await using var server = await StartAsync();
        server.Faults.DropConnection(SftpFaults.Greeting);
        Assert.That(await ErrorAsync(), Is.EqualTo(TransferError.Lost));
        server.Faults.Status(SftpFaults.LogIn, SftpTestStatus.PermissionDenied, path: "password");
        server.Faults.Status(SftpFaults.LogIn, SftpTestStatus.PermissionDenied, path: "keyboard-interactive");
        Assert.That(await ErrorAsync(), Is.EqualTo(TransferError.Auth));
        server.Faults.Clear();
        server.Faults.Status(SftpFaults.Channel, SftpTestStatus.Failure);
        Assert.That(await ErrorAsync(), Is.EqualTo(TransferError.Denied));
        server.Faults.Status(SftpFaults.Subsystem, SftpTestStatus.Failure);
        Assert.That(await ErrorAsync(), Is.EqualTo(TransferError.Unsupported));
        await server.LogInAsync();

        // What a refused connection had sent ahead must not take the next fault.
        async Task<TransferError> ErrorAsync()
        {
            var error = await SftpServerHarness.FailsAsync(() => server.LogInAsync());
            await Eventually(() => server.CurrentConnections == 0);
            return error.Error;
        }
    }

    [Test]
    public async Task Commands_shells_and_tunnels_are_refused_cleanly()
    {
        await using var server = await StartAsync();
        await using var connection = await RawSftp.ConnectAsync(server);
        await using var command = await connection.OpenCommandAsync("cat /etc/passwd", CancellationToken.None);
        Assert.That((await SftpServerHarness.FailsAsync(async () => await command.Input.ReadAsync())).Error,
            Is.EqualTo(TransferError.Denied));
        Assert.That((await SftpServerHarness.FailsAsync(async () => await connection.OpenTunnelAsync("127.0.0.1", 1))).Error,
            Is.EqualTo(TransferError.Denied));
        Assert.That(connection.IsUsable, Is.True);
        Assert.That(server.Commands.Select(seen => seen.Text), Does.Contain("EXEC cat /etc/passwd"));
    }

    [Test]
    public async Task Limits_of_connections_and_users_are_kept()
    {
        await using var few = await StartAsync(new() { MaxConnections = 1 });
        await using var own = await StartAsync(new() { MaxConnectionsPerUser = 1 });
        await using var first = await RawSftp.ConnectAsync(few);
        await using var second = await RawSftp.ConnectAsync(own);
        Assert.That((await SftpServerHarness.FailsAsync(() => few.LogInAsync())).Error, Is.EqualTo(TransferError.Lost));
        Assert.That((await SftpServerHarness.FailsAsync(() => own.LogInAsync())).Message, Does.Contain("Too many sessions of this user"));
        Assert.That(few.PeakConnections, Is.EqualTo(1));
        Assert.That(own.PeakConnections, Is.InRange(2, 3), "one that is refused may be closing yet when the next try comes");
        await first.DisposeAsync();
        await second.DisposeAsync();
        await Eventually(() => few.CurrentConnections + own.CurrentConnections == 0);
        await few.LogInAsync();
        await own.LogInAsync();
    }

    [Test]
    public async Task Limits_of_handles_channels_and_reads_are_kept()
    {
        _store.AddFile("/a", SftpServerHarness.Content(5000));
        await using var server = await StartAsync(new() { MaxHandles = 1, MaxChannels = 1, MaxReadLength = 1000 });
        await using var sftp = await RawSftp.StartAsync(server);
        var handle = await sftp.OpenAsync("/a", SftpOpenFlags.Read);
        Assert.That(await sftp.StatusAsync(SftpPacketType.Open, "/a", (uint)SftpOpenFlags.Read, default(SftpAttributes)),
            Is.EqualTo(SftpStatus.Failure));
        Assert.That(await sftp.StatusAsync(SftpPacketType.OpenDir, "/"), Is.EqualTo(SftpStatus.Failure));
        Assert.That(await sftp.ReadAsync(handle, 0, 5000), Has.Length.EqualTo(1000));

        await using var connection = await RawSftp.ConnectAsync(server);
        await using var first = await connection.OpenSubsystemAsync("sftp", CancellationToken.None);
        Assert.That(
            (await SftpServerHarness.FailsAsync(async () => await connection.OpenSubsystemAsync("sftp", CancellationToken.None))).Error,
            Is.EqualTo(TransferError.Denied));
    }

    [Test]
    public async Task A_request_that_is_switched_off_is_unsupported()
    {
        await using var server =
            await StartAsync(new() { DisabledRequests = new HashSet<string> { "SYMLINK", SftpExtension.PosixRename } });
        await using var sftp = await RawSftp.StartAsync(server);
        Assert.That(sftp.Extensions, Does.Contain(SftpExtension.Limits).And.Not.Contain(SftpExtension.PosixRename));
        Assert.That(await sftp.StatusAsync(SftpPacketType.SymLink, "a", "/b"), Is.EqualTo(SftpStatus.Unsupported));
        Assert.That(await sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.PosixRename, "/a", "/b"),
            Is.EqualTo(SftpStatus.Unsupported));
    }

    [Test]
    public async Task A_name_that_was_linked_before_the_session_was_lost_is_the_uploads_own()
    {
        await using var server = await StartAsync();
        var fault = server.Faults.DropConnection(SftpExtension.HardLink, executed: true, reset: true);
        await using var client = server.Client(Swift);
        using var content = new MemoryStream([1, 2, 3]);
        await client.UploadAsync(content, "/f");
        Assert.That((fault.Fired, _store.Files), Is.EqualTo((1, new[] { "/f" })));
    }

    // Behind the CLOSE wait the links that give the names; of the files whose REMOVE waits, both names are there.
    [TestCase("CLOSE", 10)]
    [TestCase("REMOVE", 3)]
    public async Task A_job_goes_on_when_all_connections_are_reset(string request, int skip)
    {
        var folder = Directory.CreateTempSubdirectory("transfer-sftp-");
        try
        {
            for (var i = 0; i < 40; i++)
                await File.WriteAllBytesAsync(Path.Join(folder.FullName, $"{i}"), SftpServerHarness.Content(50_000, i));
            await using var server = await StartAsync();
            var fault = server.Faults.Stall(request, skip: skip);
            await using var client = server.Client(Swift);
            var job = client.UploadDirectoryAsync(folder.FullName, "/d");
            await fault.FirstFired.WaitAsync(TimeSpan.FromSeconds(20));
            server.DropConnections();
            fault.Release();
            var result = await job.WaitAsync(TimeSpan.FromSeconds(50));
            Assert.That((result.Files, result.Failed), Is.EqualTo((40, 0)),
                string.Join('\n', result.Failures.Select(failure => failure.Error?.Message)));
            for (var i = 0; i < 40; i++) Same.Bytes(_store.ReadFile($"/d/{i}"), SftpServerHarness.Content(50_000, i));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Test]
    public async Task The_link_has_its_round_trip()
    {
        await using var server = await StartAsync(new() { Link = new LinkOptions { RoundTrip = TimeSpan.FromMilliseconds(20) } });
        await server.LogInAsync();
        Assert.That(server.Link!.BytesForward, Is.Positive);
    }

    private static async Task Eventually(Func<bool> condition)
    {
        for (var left = 2000; left > 0 && !condition(); left--) await Task.Delay(10);
        Assert.That(condition(), Is.True);
    }

    private static UploadOptions Direct { get; } = new() { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct };

    // Looks for renames whose answers were lost are some time apart.
    private static SftpOptions Swift(SftpOptions options) => options with
    {
        MaxSessions = 2,
        IdleTimeout = TimeSpan.FromMinutes(10),
        LogInTimeout = TimeSpan.FromMinutes(10),
        TimeProvider = new SwiftTime(),
    };

    private static RetryOptions Once { get; } = new() { Attempts = 1 };

    private Task<SftpTestServer> StartAsync(SftpTestServerOptions? options = null) =>
        SftpServerHarness.StartAsync((options ?? new()) with { Store = _store });
}
