using Transfer.Ftp;
using Transfer.Testing;
using Transfer.TestSupport.Ftp;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Servers that answer 350 to REST and send files from their first byte.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class IgnoredOffsetTests
{
    private static readonly byte[] Content = FtpHarness.Content(5000);

    [Test]
    public async Task A_range_is_refused_and_the_whole_file_comes(
        [Values(FtpPipelining.Off, FtpPipelining.PerFile, FtpPipelining.Batched)] FtpPipelining pipelining, [Values] bool hasMlst,
        [Values(100L, null)] long? length)
    {
        await using var ftp = await StartAsync(pipelining, hasMlst);
        ftp.Server.Faults.Reply("REST", "350 Restarting", times: 99);
        for (var time = 0; time < 2; time++)
        {
            var error = await FtpHarness.FailsAsync(() => ReadAsync(ftp, "/a", 1000, length));
            Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Unsupported, "/a")));
            Assert.That(error.Message, Does.Contain("not read from byte 1000 on"));
        }
        Same.Bytes(await ftp.GetAsync("/a"), Content);
    }

    [TestCase(2)]
    [TestCase(300_000)]
    public async Task Files_of_all_lengths_show_that(int length)
    {
        await using var ftp = await StartAsync();
        ftp.Store.AddFile("/b", FtpHarness.Content(length));
        ftp.Server.Faults.Reply("REST", "350 Restarting", times: 99);
        var error = await FtpHarness.FailsAsync(() => ReadAsync(ftp, "/b", 1, 1));
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported), error.ToString());
        Same.Bytes(await ftp.GetAsync("/b"), FtpHarness.Content(length));
    }

    [Test]
    public async Task A_file_of_unknown_length_is_read_all_the_same()
    {
        var verbs = new HashSet<string> { "SIZE", "MDTM", "MLST", "MLSD", "LIST", "NLST", "STAT" };
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Greeting = "Ready", DisabledCommands = verbs });
        ftp.Store.AddFile("/a", Content);
        Same.Bytes(await ReadAsync(ftp, "/a", 1000, 100), Content.AsSpan(1000, 100));
    }

    [Test]
    public async Task The_last_byte_may_come_without_an_end_of_TLS()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Greeting = "Ready", Tls = FtpTestTls.Explicit },
            FtpHarness.Options with { Tls = new FtpTlsOptions { AcceptAnyCertificate = true } });
        ftp.Store.AddFile("/a", Content);
        ftp.Server.Faults.TruncateTls("RETR");
        Same.Bytes(await ReadAsync(ftp, "/a", 1000, 100), Content.AsSpan(1000, 100));
        Assert.That(ftp.Work.Where(command => command.Verb == "REST").Select(command => command.Argument),
            Is.EqualTo(new[] { "4999", "1000" }));
    }

    [Test]
    public async Task One_byte_proves_the_server_once([Values] bool hasMlst)
    {
        await using var ftp = await StartAsync(hasMlst: hasMlst);
        Same.Bytes(await ReadAsync(ftp, "/a", 1000, 100), Content.AsSpan(1000, 100));
        var before = ftp.Work.Count;
        Same.Bytes(await ReadAsync(ftp, "/a", 4000, null), Content.AsSpan(4000));
        Assert.That(ftp.Work.Take(before).Where(command => command.Verb == "REST").Select(command => command.Argument),
            Is.EqualTo(new[] { "4999", "1000" }));
        Assert.That(ftp.Work.Skip(before).Count(command => command.Verb is "REST" or "RETR"), Is.EqualTo(2));
    }

    [Test]
    public async Task A_file_that_grows_meanwhile_is_read_where_it_was_asked_for()
    {
        await using var ftp = await StartAsync(front: inner => new GrowingStore(inner, "/a", times: 99));
        Same.Bytes(await ReadAsync(ftp, "/a", 1000, 100), Content.AsSpan(1000, 100));
        Assert.That(ftp.Work.Count(command => command.Verb == "RETR"), Is.EqualTo(2));
    }

    [Test]
    public async Task Behind_the_end_is_nothing([Values(5000L, 6000L)] long offset)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("REST", "350 Restarting", times: 99);
        Assert.That(await ReadAsync(ftp, "/a", offset, null), Is.Empty);
    }

    [Test]
    public async Task A_file_that_may_not_be_read_is_denied()
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("RETR", "550 no", times: 99);
        var error = await FtpHarness.FailsAsync(() => ReadAsync(ftp, "/a", 1000, 100));
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Denied, "/a")));
    }

    [Test]
    public async Task A_file_that_is_stored_between_its_refusal_and_the_look_is_read([Values(0, 1)] int skip)
    {
        await using var ftp = await StartAsync();
        ftp.Server.Faults.Reply("RETR", "550 no such file", skip);
        Same.Bytes(await ReadAsync(ftp, "/a", 1000, 100), Content.AsSpan(1000, 100));
    }

    [Test]
    public async Task A_server_that_is_known_by_name_needs_no_proof()
    {
        await using var ftp = await StartAsync(greeting: "(vsFTPd 3.0.5)");
        Same.Bytes(await ReadAsync(ftp, "/a", 1000, 100), Content.AsSpan(1000, 100));
        Assert.That(ftp.Work.Count(command => command.Verb == "RETR"), Is.EqualTo(1));
    }

    [TestCase("220 (vsFTPd 3.0.5)")]
    [TestCase("220 ready")]
    public async Task An_offset_of_more_than_32_bits_is_proved_at_every_server(string greeting)
    {
        // The number wraps, and the file comes from elsewhere.
        await using var server = new OddServer
        {
            Greeting = greeting,
            Reply = (verb, _) => verb switch { "SIZE" => "213 5000000000", "REST" => "350 there", _ => null },
        };
        server.Files["/a"] = FtpHarness.Content(200_000);
        await using var client = new FtpTransferClient(server.Uri, FtpHarness.Options);
        var error = await FtpHarness.FailsAsync(async () =>
        {
            await using var content = await client.OpenReadAsync("/a", new() { Offset = 4_300_000_000, Length = 8, Sequential = true });
            await content.ReadExactlyAsync(new byte[8]);
        });
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported), error.ToString());
        Assert.That(error.Message, Does.Contain("not read from byte 4300000000 on"));
    }

    private static async Task<byte[]> ReadAsync(FtpHarness ftp, string path, long offset, long? length)
    {
        await using var content = await ftp.Client.OpenReadAsync(path, new() { Offset = offset, Length = length, Sequential = true });
        using var read = new MemoryStream();
        await content.CopyToAsync(read);
        return read.ToArray();
    }

    private static async Task<FtpHarness> StartAsync(FtpPipelining pipelining = FtpPipelining.Auto, bool hasMlst = true,
        Func<MemoryStore, ITestStore>? front = null, string greeting = "Ready")
    {
        var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions
            {
                Greeting = greeting,
                DisabledCommands = hasMlst ? new HashSet<string>() : new HashSet<string> { "MLST", "MLSD" },
            },
            FtpHarness.Options with { Pipelining = pipelining }, front);
        ftp.Store.AddFile("/a", Content);
        return ftp;
    }

    /// <summary>A file that gets one byte more whenever it is opened, as a log.</summary>
    private sealed class GrowingStore(MemoryStore inner, string path, int times) : StoreFront(inner)
    {
        private readonly MemoryStore _inner = inner;
        private int _left = times;

        public override ValueTask<Stream> OpenReadAsync(string asked, long offset, CancellationToken ct = default)
        {
            if (asked == path && _left-- > 0) _inner.AddFile(path, [.. _inner.ReadFile(path), 7]);
            return base.OpenReadAsync(asked, offset, ct);
        }
    }
}
