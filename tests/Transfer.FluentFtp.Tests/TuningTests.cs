using FluentFTP;

namespace Transfer.FluentFtp.Tests;

/// <summary>A client of FluentFTP that an application goes on using itself.</summary>
[TestFixture]
public sealed class TuningTests : EmbeddedFixture
{
    [Test]
    public void A_tuned_client_has_larger_chunks_and_keeps_what_is_larger_already()
    {
        using var client = new FtpClient("localhost");
        client.Config.TransferChunkSize = 8 << 20;
        Assert.That(client.Tune(), Is.SameAs(client));
        Assert.That((client.Config.TransferChunkSize, client.Config.LocalFileBufferSize), Is.EqualTo((8 << 20, 1 << 20)));
        Assert.That((client.Config.BulkListing, client.Config.BulkListingLength), Is.EqualTo((true, 64 << 10)));
        Assert.That(client.Config.SocketKeepAlive);
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_tuned_client_works_before_and_behind_its_connection(bool isConnected)
    {
        await StartAsync();
        await using var fluent = Create();
        if (isConnected) await fluent.Connect();
        fluent.Tune();
        if (!isConnected) await fluent.Connect();
        var status = await fluent.UploadFile(LocalFile("a.bin", 3_000_000), "/a.bin");
        Assert.That(status, Is.EqualTo(FtpStatus.Success));
        Assert.That(Store.ReadFile("/a.bin").AsSpan().SequenceEqual(Content(3_000_000)));
        Assert.That(fluent.Config.SocketKeepAlive);
    }

    [Test]
    public async Task A_client_whose_connection_has_ended_can_be_tuned()
    {
        await StartAsync();
        await using var fluent = Create();
        await fluent.Connect();
        await fluent.Disconnect();
        fluent.Tune();
        await fluent.Connect();
        Assert.That(fluent.Config.SocketKeepAlive);
    }
}
