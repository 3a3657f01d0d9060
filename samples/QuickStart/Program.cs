using QuickStart;
using Transfer;
using Transfer.Ftp;
using Transfer.Testing;

// A server in this process and a folder of its own: nothing else is needed, and nothing stays.
var folder = Directory.CreateTempSubdirectory("transfer-quick-start-");
Environment.CurrentDirectory = folder.FullName;
try
{
    await SampleFiles.CreateAsync();
    await using var server = await FtpTestServer.StartAsync();
    await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });
    await Usage.FolderAsync(client);
    await Usage.ContinueAsync(client);
    await Servers.TestingAsync();
    await EmbeddedServers.SftpAsync();
    await EmbeddedServers.KeyAsync();
    await EmbeddedServers.FaultsAsync();
    await Servers.LocalAsync();
}
finally
{
    Environment.CurrentDirectory = Path.GetTempPath();
    folder.Delete(recursive: true);
}
