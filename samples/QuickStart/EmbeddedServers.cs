using Transfer;
using Transfer.Sftp;
using Transfer.Testing;

namespace QuickStart;

/// <summary>The embedded SFTP server in tests of an application.</summary>
internal static class EmbeddedServers
{
    public static async Task SftpAsync()
    {
        await using var server = await SftpTestServer.StartAsync();
        await using var client = new SftpTransferClient(server.Uri, new SftpOptions
        {
            Credential = new TransferCredential("demo", "demo"),
            HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint] },
        });

        await client.UploadFileAsync("report.pdf", "report.pdf");
    }

    public static async Task KeyAsync()
    {
        using var key = SftpTestKey.Create();
        await using var server = await SftpTestServer.StartAsync(new SftpTestServerOptions { AuthorizedKeys = [key.PublicKey] });
        using var identity = await SshIdentity.FromTextAsync(key.PrivateKey);
        await using var client = new SftpTransferClient(new Uri($"sftp://demo@{server.EndPoint}/"), new SftpOptions
        {
            Identities = [identity],
            HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint] },
        });
        await client.PingAsync();
    }

    public static async Task FaultsAsync()
    {
        var store = new MemoryStore();
        await using var server = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = store });
        await using var client = new SftpTransferClient(server.Uri, new SftpOptions
        {
            Credential = new TransferCredential("demo", "demo"),
            HostKeys = new SshHostKeyOptions { Pins = [server.Fingerprint] },
        });

        server.Faults.CutData(afterBytes: 5, verb: "WRITE"); // The connection breaks within the first file: the client tries again.
        await client.UploadFileAsync("report.pdf", "report.pdf");
        Console.WriteLine($"{store.ReadFile("/report.pdf").Length} bytes arrived");

        server.Faults.Status("MKDIR", SftpTestStatus.PermissionDenied);
        try
        {
            await client.CreateDirectoryAsync("inbox");
        }
        catch (TransferException e) when (e.Error == TransferError.Denied)
        {
            Console.WriteLine($"Denied, after {server.Commands.Count} requests.");
        }
    }
}
