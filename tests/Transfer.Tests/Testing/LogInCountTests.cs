using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Testing;

/// <summary>The log-ins that a job costs the server, counted there.</summary>
[Category(Categories.Slow)]
public sealed class LogInCountTests
{
    private static readonly LinkOptions Far = new() { RoundTrip = TimeSpan.FromMilliseconds(60) };

    [Test]
    public async Task One_small_file_costs_one_log_in(
        [Values("ftp", "ftps", "sftp")] string protocol, [Values] bool isFar, [Values("file", "stream", "list", "up")] string job)
    {
        using var local = new TempFolder();
        local.Add("up", [1, 2, 3]);
        if (protocol == "sftp")
        {
            await using var server = await SftpServerHarness.StartAsync(new() { Link = isFar ? Far : null });
            await using var client = server.Client(options => options with { MaxSessions = 16 });
            await client.PutAsync("/file", [1, 2, 3]);
            await client.DisposeAsync();
            var before = server.TotalConnections;
            await using var second = server.Client(options => options with { MaxSessions = 16 });
            await RunAsync(second, local, job);
            Assert.That((server.TotalConnections - before, server.Commands.Count(command => command.Verb == "SUBSYSTEM")),
                Is.EqualTo((1, 2)));
            return;
        }
        var tls = protocol == "ftps";
        await using var ftp = await FtpHarness.StartAsync(
            new() { Link = isFar ? Far : null, Tls = tls ? FtpTestTls.Explicit : FtpTestTls.None },
            FtpHarness.Options with
            {
                MaxSessions = 16,
                TlsMode = tls ? FtpTlsMode.Explicit : null,
                Tls = new() { AcceptAnyCertificate = true },
            });
        ftp.Store.AddFile("/file", [1, 2, 3]);
        await RunAsync(ftp.Client, local, job);
        Assert.That((ftp.Server.TotalConnections, ftp.Server.Commands.Count(command => command.Verb == "PASS")), Is.EqualTo((1, 1)));
    }

    [Test]
    public async Task Many_small_files_over_sftp_share_one_or_two_connections([Values] bool isFar, [Values] bool down)
    {
        using var local = new TempFolder();
        for (var i = 0; i < 200; i++) local.Add($"in/f{i}", SftpServerHarness.Content(10_000, i));
        var store = new Transfer.Testing.MemoryStore();
        for (var i = 0; down && i < 200; i++) store.AddFile($"/in/f{i}", SftpServerHarness.Content(10_000, i));
        await using var server = await SftpServerHarness.StartAsync(new() { Store = store, Link = isFar ? Far : null });
        await using var client = server.Client(options => options with { MaxSessions = 16 });
        var result = down
            ? await client.DownloadDirectoryAsync("/in", local["out"]) : await client.UploadDirectoryAsync(local["in"], "/out");
        Assert.That((result.Files, result.Failed), Is.EqualTo((200L, 0L)));
        for (var i = 0; i < 200; i++)
        {
            var content = down ? local.Read($"out/f{i}") : store.ReadFile($"/out/f{i}");
            Assert.That(content.AsSpan().SequenceEqual(SftpServerHarness.Content(10_000, i)), $"f{i}");
        }
        Assert.That(server.TotalConnections, Is.InRange(1, 2));
    }

    [Test]
    public async Task A_companions_sessions_are_opened_beside_the_first_one_where_the_path_is_long([Values] bool isFar)
    {
        await using var server = await SftpServerHarness.StartAsync(new() { Link = isFar ? Far : null });
        await using var client = server.Client(options => options with { MaxSessions = 16 });
        await ClientServices.Of(client).ConnectAsync(4, CancellationToken.None);
        if (isFar) Assert.That(() => server.TotalConnections, Is.EqualTo(4).After(10_000, 20));
        else Assert.That(server.TotalConnections, Is.EqualTo(1));
    }

    // The clock of the clients stands still: the server answers at once, however busy this machine is.
    [Test]
    public async Task A_near_servers_limit_is_met_once_by_a_job_and_not_again_by_the_next(
        [Values("ftp", "sftp")] string protocol, [Values(1, 2, 8)] int limit, [Values] bool isPerUser)
    {
        using var local = new TempFolder();
        for (var i = 0; i < 300; i++) local.Add($"in/f{i}", SftpServerHarness.Content(20_000, i));
        var (all, perUser) = isPerUser ? (0, limit) : (limit, 0);
        var store = new Transfer.Testing.MemoryStore();
        if (protocol == "sftp")
        {
            await using var server = await SftpServerHarness.StartAsync(
                new() { Store = store, MaxConnections = all, MaxConnectionsPerUser = perUser });
            await using var client = server.Client(
                options => options with { MaxSessions = 16, TimeProvider = new ManualTime() });
            await CheckAsync(client, () => server.TotalConnections);
            return;
        }
        await using var ftp = await FtpHarness.StartAsync(
            new() { Store = store, MaxConnections = all, MaxConnectionsPerUser = perUser },
            FtpHarness.Options with
            {
                MaxSessions = 16,
                TimeProvider = new ManualTime(),
            });
        await CheckAsync(ftp.Client, () => ftp.Server.TotalConnections);

        async Task CheckAsync(TransferClient client, Func<int> connections)
        {
            foreach (var target in (string[])["/one", "/two"])
            {
                var result = await client.UploadDirectoryAsync(local["in"], target).Soon();
                Assert.That((result.Files, result.Failed), Is.EqualTo((300L, 0L)));
                Assert.That(connections(), Is.LessThanOrEqualTo(limit + 1), "one more was refused");
            }
            for (var i = 0; i < 300; i++)
                Assert.That(store.ReadFile($"/two/f{i}").AsSpan().SequenceEqual(SftpServerHarness.Content(20_000, i)));
        }
    }

    // A refusing server is asked again after 60 s (SessionLimit.RetryAfter): few sessions have few files, and end long before.
    [TestCase(1, 30)]
    [TestCase(2, 50)]
    [TestCase(8, 200)]
    public async Task Over_a_long_link_no_refused_log_in_is_repeated(int limit, int files)
    {
        using var local = new TempFolder();
        for (var i = 0; i < files; i++) local.Add($"in/f{i}", FtpHarness.Content(1000, i));
        await using var ftp = await FtpHarness.StartAsync(new() { Link = Far, MaxConnectionsPerUser = limit },
            FtpHarness.Options with { MaxSessions = 12 });
        foreach (var target in (string[])["/one", "/two"])
        {
            var result = await ftp.Client.UploadDirectoryAsync(local["in"], target).Soon();
            Assert.That((result.Files, result.Failed), Is.EqualTo(((long)files, 0L)));
            Assert.That(ftp.Server.TotalConnections, Is.InRange(limit + 1, 12), "each session was tried once");
        }
        for (var i = 0; i < files; i++) Same.Bytes(ftp.Store.ReadFile($"/two/f{i}"), FtpHarness.Content(1000, i));
    }

    // The first trial goes by the wait alone: a gain is asked for from the second one on.
    [TestCase(8, null, 3, 8)]
    [TestCase(8, 2, 2, 2)]
    [TestCase(null, null, 2, 2)]
    public async Task Small_files_over_a_long_link_have_more_sessions_where_these_are_allowed(int? beyond, int? own, int least, int most)
    {
        using var local = new TempFolder();
        for (var i = 0; i < 150; i++) local.Add($"in/f{i}", FtpHarness.Content(100, i));
        await using var ftp = await FtpHarness.StartAsync(new() { Link = Far },
            FtpHarness.Options with { MaxSessions = 2, MaxSessionsForSmallFiles = beyond });
        var result = await ftp.Client.UploadDirectoryAsync(local["in"], "/out", new() { Sessions = own }).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((150L, 0L)));
        Assert.That(ftp.Server.PeakConnections, Is.InRange(least, most));
    }

    private static async Task RunAsync(TransferClient client, TempFolder local, string job)
    {
        switch (job)
        {
            case "file":
                await client.DownloadFileAsync("/file", local["file"]);
                break;
            case "stream":
                using (var stream = File.Create(local["file"])) await client.DownloadAsync("/file", stream);
                break;
            case "list":
                var result = await client.DownloadFilesAsync(OneAsync(local["file"]));
                Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
                break;
            default:
                await client.UploadFileAsync(local["up"], "/new");
                return;
        }
        Assert.That(local.Read("file"), Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    private static async IAsyncEnumerable<FileDownload> OneAsync(string local)
    {
        await Task.Yield();
        yield return new FileDownload("/file", local);
    }
}
