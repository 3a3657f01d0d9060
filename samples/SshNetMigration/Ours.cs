using Transfer;
using Transfer.Sftp;

namespace SshNetMigration;

/// <summary>The same tasks as in Theirs.cs, in the same order, by Transfer.</summary>
public static class Ours
{
    public static async Task RunAsync(Uri server, string keyFile, string knownHosts, string fingerprint)
    {
        await WithKeyAsync(server, keyFile, knownHosts);
        using var key = await SshIdentity.FromFileAsync(keyFile);
        await using var client = Pinned(server, key, fingerprint);
        await FilesAsync(client);
        await FolderAsync(client);
        await MirrorAsync(client);
        await ResumeAsync(client);
        await ProgressAsync(client);
        await SmallFilesAsync(client);
        await using var other = Pinned(server, key, fingerprint);
        await BetweenServersAsync(client, other);
        await ErrorsAsync(client);
    }

    private static async Task FilesAsync(TransferClient client)
    {
        await client.UploadFileAsync("report.pdf", "report.pdf", new UploadOptions { Overwrite = OverwriteMode.Always });
        await client.DownloadFileAsync("report.pdf", "copy.pdf", new DownloadOptions { Overwrite = OverwriteMode.Always });
    }

    private static async Task FolderAsync(TransferClient client)
    {
        var photos = await client.UploadDirectoryAsync("photos", "photos", new DirectoryOptions { Overwrite = OverwriteMode.Always });
        foreach (var failure in photos.Failures) Console.WriteLine($"{failure.Path}: {failure.Error?.Error}");
    }

    private static async Task MirrorAsync(TransferClient client)
    {
        var mirror = await client.SynchronizeAsync("site", "site", SyncDirection.Up, new SyncOptions { Delete = true });
        Console.WriteLine($"{mirror.Files} sent, {mirror.Deleted} deleted");
    }

    private static async Task ResumeAsync(TransferClient client)
    {
        // In every run: the journal knows whether the part at the server is of this file.
        await client.UploadFileAsync("disk.img", "disk.img", new UploadOptions { Resume = true });
    }

    private static async Task WithKeyAsync(Uri server, string keyFile, string knownHosts)
    {
        using var key = await SshIdentity.FromFileAsync(keyFile);
        await using var client = new SftpTransferClient(server, new SftpOptions // sftp://user@files.example.com/inbox
        {
            Identities = [key],
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [knownHosts] }, // without it OpenSSH's files
        });
        await client.PingAsync();
    }

    private static SftpTransferClient Pinned(Uri server, SshIdentity key, string fingerprint)
    {
        return new SftpTransferClient(server, new SftpOptions
        {
            Identities = [key],
            HostKeys = new SshHostKeyOptions { Pins = ["SHA256:" + fingerprint] },
        });
    }

    private static async Task ErrorsAsync(TransferClient client)
    {
        try
        {
            await client.DownloadFileAsync("absent.pdf", "absent.pdf");
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            Console.WriteLine($"{e.RemotePath} is not there: {e.Message}");
        }
    }

    private static async Task ProgressAsync(TransferClient client)
    {
        var progress = new Progress<TransferProgress>(now => Console.WriteLine($"{now.Bytes} of {now.TotalBytes} bytes"));
        await client.UploadFileAsync("disk.img", "video.bin", new UploadOptions { Overwrite = OverwriteMode.Always }, progress);
    }

    private static async Task SmallFilesAsync(TransferClient client)
    {
        var small = await client.UploadDirectoryAsync("small", "small", new BatchOptions());
        Console.WriteLine($"{small.Files} files by {small.Way}");
    }

    private static async Task BetweenServersAsync(TransferClient from, TransferClient to)
    {
        await from.CopyFileAsync("report.pdf", to, "report.copy.pdf", new UploadOptions { Overwrite = OverwriteMode.Always });
    }
}
