using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Streams that are given up while the server says nothing, without an idle time-out.</summary>
[Category(Categories.Slow)]
public sealed class StalledStreamTests
{
    private const int Length = 8 << 20;

    private readonly MemoryStore _store = new();

    [SetUp]
    public void Fill() => _store.AddFile("/f", FtpTransferTests.Bytes(Length));

    [Test]
    public async Task A_read_over_Ftp_ends()
    {
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        var options = new FtpOptions { Credential = new TransferCredential("demo", "demo"), IdleTimeout = Timeout.InfiniteTimeSpan };
        server.Faults.StallData(200_000);
        await EndsAsync(new FtpTransferClient(server.Uri, options));
    }

    [Test]
    public async Task A_read_over_Sftp_ends()
    {
        await using var server = await SftpServerHarness.StartAsync(new SftpTestServerOptions { Store = _store });
        server.Faults.Stall("READ", skip: 2, times: int.MaxValue);
        await EndsAsync(server.Client(options => options with { IdleTimeout = Timeout.InfiniteTimeSpan }));
    }

    private static async Task EndsAsync(TransferClient client)
    {
        await using var clientEnd = client;
        var stream = await client.OpenReadAsync("/f").Soon();
        Assert.That(await stream.ReadAsync(new byte[1]).Soon(), Is.EqualTo(1));
        await stream.DisposeAsync().Soon();
    }
}
