using Renci.SshNet;
using Transfer;
using Transfer.SshNet;

namespace SshNetMigration;

/// <summary>Applications that keep their code that connects. docs/migrate-from-sshnet.md shows parts of it.</summary>
public static class KeepConnections
{
    public static async Task ByConnectionInfoAsync()
    {
        await using var client = new SshNetTransferClient(
            () => new ConnectionInfo(
                "files.example.com", "user", new PrivateKeyAuthenticationMethod("user", new PrivateKeyFile("id_ed25519"))),
            "/~/www");
        var job = await client.SynchronizeAsync("site", "", SyncDirection.Up, new SyncOptions { Delete = true });
        Console.WriteLine($"{job.Files} sent, {job.Unchanged} unchanged, {job.Deleted} deleted");
    }

    public static SshNetTransferClient ByClient(string password, string fingerprint)
    {
        return new SshNetTransferClient(() =>
        {
            var connection = new SftpClient("files.example.com", "user", password);
            connection.HostKeyReceived += (_, e) => e.CanTrust = e.FingerPrintSHA256 == fingerprint;
            return connection;
        }, "/inbox");
    }

    public static void Tuned(string password)
    {
        using var connection = new SftpClient("files.example.com", "user", password).Tune();
        connection.Connect();
        using var report = File.OpenRead("report.pdf");
        connection.UploadFile(report, "/inbox/report.pdf");
    }
}
