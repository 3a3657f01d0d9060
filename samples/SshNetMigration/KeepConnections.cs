using Renci.SshNet;
using Transfer;
using Transfer.SshNet;

namespace SshNetMigration;

/// <summary>Applications that keep their code that connects. docs/migrate-from-sshnet.md shows parts of it.</summary>
public static class KeepConnections
{
    public static async Task ByConnectionInfoAsync(
        string host, int port, string user, string keyFile, string folder, SshNetOptions? options = null)
    {
        await using var client = new SshNetTransferClient(
            () => new ConnectionInfo(host, port, user, new PrivateKeyAuthenticationMethod(user, new PrivateKeyFile(keyFile))),
            folder, options); // "/inbox", or "/~/inbox" below the log-in folder
        var job = await client.SynchronizeAsync("site", "", SyncDirection.Up, new SyncOptions { Delete = true });
        Console.WriteLine($"{job.Files} sent, {job.Unchanged} unchanged, {job.Deleted} deleted");
    }

    public static SshNetTransferClient ByClient(string host, int port, string user, string password, string fingerprint, string folder)
    {
        return new SshNetTransferClient(() =>
        {
            var connection = new SftpClient(host, port, user, password);
            connection.HostKeyReceived += (_, e) => e.CanTrust = e.FingerPrintSHA256 == fingerprint;
            return connection;
        }, folder);
    }

    public static void Tuned(string host, int port, string user, string password, string folder)
    {
        using var connection = new SftpClient(host, port, user, password).Tune();
        connection.Connect();
        using var report = File.OpenRead("report.pdf");
        connection.UploadFile(report, $"{folder}/report.pdf");
    }
}
