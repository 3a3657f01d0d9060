using Transfer.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>A folder that is read as if it were a file: one kind of error for each way to read, over each protocol.</summary>
public sealed class FolderReadTests
{
    private readonly MemoryStore _store = new();

    [Test]
    public async Task Over_Ftp()
    {
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });
        await FailsAsync(client);
    }

    [Test]
    public async Task Over_Sftp()
    {
        await using var server = await SftpServerHarness.StartAsync(new SftpTestServerOptions { Store = _store });
        await using var client = server.Client();
        await FailsAsync(client);
    }

    private async Task FailsAsync(TransferClient client)
    {
        _store.AddDirectory("/d");
        var download = await client.DownloadAsync("/d", new MemoryStream()).Failure<TransferException>();
        var read = await client.OpenReadAsync("/d").AsTask().Failure<TransferException>();
        var inOrder = await client.OpenReadAsync("/d", new ReadOptions { Sequential = true }).AsTask().Failure<TransferException>();
        Assert.That(new[] { download.Error, read.Error, inOrder.Error }, Has.All.EqualTo(TransferError.Unsupported));
        Assert.That(new[] { download.RemotePath, read.RemotePath, inOrder.RemotePath }, Has.All.EqualTo("/d"));
    }
}
