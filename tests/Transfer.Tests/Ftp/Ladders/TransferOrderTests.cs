using Transfer.Ftp;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Session;
using Transfer.Pooling;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Engine;
using Transfer.Tests.Ftp.Session;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Servers for which the order of a transfer's commands and its data connection matters, and refusals that say little.</summary>
[Category(Categories.Slow)]
public sealed class TransferOrderTests
{
    private static FtpOptions Options { get; } = new()
    {
        MaxSessions = 1,
        IdleTimeout = TimeSpan.FromSeconds(5),
        Retry = Samples.SoonAgain,
    };

    [Test]
    public async Task An_upload_waits_for_its_connection_where_one_that_did_not_was_broken_off()
    {
        await using var server = new OddServer { WaitsForConnections = true };
        using var folder = new TempFolder();
        var left = new List<string>();
        var options = Options with
        {
            LimitsFile = folder["limits"],
            LoggerFactory = new LogEvents(["RungLeft"], text => { lock (left) left.Add(text); })
        };
        await PutAsync(server, options, "/a");
        Assert.That((server.Files["/a"], server.Files.Count, server.Count("STOR")), Is.EqualTo((new byte[] { 1, 2, 3 }, 1, 2)));
        Assert.That((left.Count, Rungs(server).ToString()), Is.EqualTo((1, "a10=1")));
        Assert.That(await File.ReadAllTextAsync(folder["limits"]), Does.StartWith($"{LimitsFile.KeyOf(server.Uri, null)} a10=1 "));

        await PutAsync(server, options, "/b");
        Assert.That((server.Files["/b"], server.Count("STOR")), Is.EqualTo((new byte[] { 1, 2, 3 }, 3)));
    }

    [Test]
    public async Task Downloads_and_listings_of_such_a_server_stay_on_the_fast_rung()
    {
        await using var server = new OddServer { WaitsForConnections = true };
        server.Files["/a"] = [1, 2, 3];
        await using var client = new FtpTransferClient(server.Uri, Options);
        using var fetched = new MemoryStream();
        await client.DownloadAsync("/a", fetched);
        Assert.That(fetched.ToArray(), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(await client.ListAsync("/").Select(entry => entry.Name).ToListAsync(), Is.EqualTo(new[] { "a" }));
        Assert.That(Rungs(server).ToString(), Is.EqualTo("a12=1"));
    }

    // An early one may have succeeded with luck, or at another server that had the address before.
    [Test]
    public async Task A_broken_upload_makes_the_next_one_wait_also_where_an_early_one_has_succeeded()
    {
        var stores = 0;
        await using var server = new OddServer
        {
            Reply = (verb, _) => verb == "STOR" && Interlocked.Increment(ref stores) == 2 ? "426 cut" : null
        };
        await PutAsync(server, Options, "/a");
        await PutAsync(server, Options, "/b");
        Assert.That((server.Files.Count, server.Count("STOR"), Rungs(server).ToString()), Is.EqualTo((2, 3, "a10=1")));
    }

    [TestCase("502 no REST")]
    [TestCase("550 no REST")]
    public async Task A_refused_offset_costs_neither_the_session_nor_a_time_out(string reply)
    {
        await using var server = new OddServer
        {
            WaitsForConnections = true,
            Reply = (verb, _) => verb == "REST" ? reply : null,
        };
        server.Files["/a"] = [1, 2, 3];
        await using var client = new FtpTransferClient(server.Uri, Options with { IdleTimeout = TimeSpan.FromMinutes(5) });
        var error = await FtpHarness.FailsAsync(async () =>
        {
            await using var stream = await client.OpenReadAsync("/a", new() { Offset = 1, Length = 1 });
            await stream.CopyToAsync(Stream.Null);
        });
        Assert.That(error.ServerCode, Is.EqualTo(int.Parse(reply[..3], System.Globalization.CultureInfo.InvariantCulture)));
        using var fetched = new MemoryStream();
        await client.DownloadAsync("/a", fetched).Soon();
        Assert.That((fetched.ToArray(), server.Connections), Is.EqualTo((new byte[] { 1, 2, 3 }, 1)));
    }

    [Test]
    public async Task A_code_that_leaves_open_whether_a_file_exists_is_followed_by_a_look([Values(450, 451, 551, 553, 554)] int code,
        [Values] bool exists)
    {
        await using var server = new OddServer { Reply = (verb, _) => verb == "RETR" ? $"{code} ENOENT" : null };
        if (exists) server.Files["/a"] = [1, 2, 3];
        await using var client = new FtpTransferClient(server.Uri, Options with { Retry = Samples.SoonAgain with { Attempts = 2 } });
        var error = await FtpHarness.FailsAsync(() => client.DownloadAsync("/a", Stream.Null));
        Assert.That((error.Error == TransferError.NotFound, error.ServerCode), Is.EqualTo((!exists, code)), error.Message);
        Assert.That(server.Connections, Is.EqualTo(1));
    }

    private static async Task PutAsync(OddServer server, FtpOptions options, string path)
    {
        await using var client = new FtpTransferClient(server.Uri, options);
        using var content = new MemoryStream([1, 2, 3]);
        await client.UploadAsync(content, path);
    }

    private static FtpRungs Rungs(OddServer server) => FtpHostState.For(server.Uri.Host, server.Uri.Port).Rungs;
}
