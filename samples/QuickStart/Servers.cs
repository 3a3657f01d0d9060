using Transfer;
using Transfer.Ftp;
using Transfer.Sftp;
using Transfer.Testing;

namespace QuickStart;

/// <summary>Clients for servers of every kind.</summary>
internal static class Servers
{
    public static async Task FtpAsync(string password)
    {
        await using var client = new FtpTransferClient(
            new Uri("ftpes://files.example.com/inbox"),
            new FtpOptions { Credential = new TransferCredential("user", password) });

        await client.UploadFileAsync("report.pdf", "report.pdf");
        var job = await client.UploadDirectoryAsync("photos", "photos", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
        Console.WriteLine($"{job.Files} files in {job.Elapsed}, {job.Failed} failed");
    }

    public static async Task PinnedAsync(string password)
    {
        await using var client = new FtpTransferClient(new Uri("ftps://files.example.com/"), new FtpOptions
        {
            Credential = new TransferCredential("user", password),
            Tls = new FtpTlsOptions { Pins = ["SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="] },
        });
        await client.PingAsync();
    }

    public static async Task SftpAsync()
    {
        await using var client = new SftpTransferClient(
            new Uri("sftp://user@files.example.com/inbox"),
            new SftpOptions { Identities = [await SshIdentity.FromFileAsync("id_ed25519")] });
        await client.UploadDirectoryAsync("photos", "photos");
    }

    public static async Task BatchAsync(TransferClient client)
    {
        var result = await client.UploadDirectoryAsync("photos", "/srv/photos", new BatchOptions
        {
            Mode = BatchMode.Auto, // or Always, or Never
            Directory = new DirectoryOptions { Overwrite = OverwriteMode.Newer },
        });
        Console.WriteLine($"{result.Files} files by {result.Way}. {result.Reason}");
    }

    public static async Task LocalAsync()
    {
        await using var client = new LocalTransferClient(new Uri(Path.GetFullPath("photos")));
        var job = await client.UploadDirectoryAsync("site", "site.backup");
        Console.WriteLine($"{job.Files} files, {job.Bytes} bytes in {job.Elapsed}, {job.Failed} failed");
    }

    public static async Task TestingAsync()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = new FtpTransferClient(server.Uri, new FtpOptions { Credential = new TransferCredential("demo", "demo") });

        await client.UploadFileAsync("report.pdf", "report.pdf");
        await client.UploadDirectoryAsync("photos", "photos");
        await foreach (var entry in client.ListAsync("photos")) Console.WriteLine($"{entry.Path}, {entry.Length} bytes");
        Console.WriteLine($"{server.Uri} serves until Enter is pressed.");
        Console.ReadLine();
    }
}
