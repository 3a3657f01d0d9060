using Renci.SshNet;
using Transfer;
using Transfer.Sftp;
using Transfer.SshNet;

namespace SshNetMigration;

/// <summary>Applications that take Transfer's own engine. docs/migrate-from-sshnet.md shows parts of it.</summary>
public static class TakeTheEngine
{
    public static async Task<SftpTransferClient> TranslateAsync(ConnectionInfo connection, string password, string fingerprint)
    {
        var options = await connection.ToSftpOptionsAsync(new SftpOptions
        {
            Credential = new TransferCredential(connection.Username, password),    // SSH.NET does not give its password
            HostKeys = new SshHostKeyOptions { Pins = ["SHA256:" + fingerprint] }, // else known_hosts
        });
        return new SftpTransferClient(connection.ToEndpoint("/inbox"), options);
    }

    public static async Task ErrorsAsync(TransferClient client)
    {
        try
        {
            await client.DownloadFileAsync("absent.pdf", "absent.pdf");
        }
        catch (TransferException e) when (e.Error is TransferError.NotFound or TransferError.Denied)
        {
            Console.WriteLine($"{e.RemotePath}: {e.Message}");
        }
    }

    public static async Task FilesAsync(TransferClient client)
    {
        await client.UploadFileAsync("report.pdf", "report.pdf", new UploadOptions { Overwrite = OverwriteMode.Always });
        await client.DownloadFileAsync("report.pdf", "copy.pdf");
        await foreach (var entry in client.ListAsync("")) Console.WriteLine($"{entry.Type} {entry.Name} {entry.Length}");
        await client.MoveAsync("report.pdf", "sent/report.pdf", overwrite: true);
        await client.DeleteAsync("sent", recursive: true);
    }
}
