using Transfer;
using Transfer.Ftp;

namespace FluentFtpMigration;

/// <summary>Tasks, one by one, by Transfer: the same ones as in Theirs.cs, in the same order.</summary>
internal static class Ours
{
    public static async Task RunAsync(Uri server, TransferCredential logIn, string pin)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions // ftpes://files.example.com/inbox
        {
            Credential = logIn,
            Tls = new FtpTlsOptions { Pins = [pin] },
        });

        await FilesAsync(client);
        await FoldersAsync(client);
        await ResumeAsync(client);
        await ProgressAsync(client);
        await SmallFilesAsync(client);
        await BetweenServersAsync(client, client);
        await EntriesAsync(client);
    }

    private static async Task FilesAsync(TransferClient client)
    {
        var sent = await client.UploadFileAsync("report.pdf", "reports/report.pdf",
            new UploadOptions { CreateDirectories = true, Overwrite = OverwriteMode.Always });
        Console.WriteLine($"{sent.Bytes} bytes, checked by {sent.Verified}");

        await client.DownloadFileAsync("reports/report.pdf", "copy.pdf",
            new DownloadOptions { Resume = true, Overwrite = OverwriteMode.Always });

        await using (var stream = await client.OpenWriteAsync("notes.txt"))
        {
            await stream.WriteAsync("written by the program"u8.ToArray());
            await stream.CommitAsync(); // Without it nothing appears at the server.
        }
    }

    private static async Task FoldersAsync(TransferClient client)
    {
        var progress = new Progress<TransferProgress>(now => Console.WriteLine($"{now.Bytes} of {now.TotalBytes} bytes"));
        var job = await client.UploadDirectoryAsync("site", "site", new DirectoryOptions { Overwrite = OverwriteMode.Always }, progress);
        foreach (var failure in job.Failures) Console.WriteLine($"{failure.Path}: {failure.Error?.Error}");

        var mirror = await client.SynchronizeAsync("site", "site", SyncDirection.Up, new SyncOptions { Delete = true });
        Console.WriteLine($"{mirror.Files} sent, {mirror.Unchanged} unchanged, {mirror.Deleted} deleted");

        var filtered = await client.DownloadDirectoryAsync("site", "back",
            new DirectoryOptions { Filter = new TransferFilter { Include = ["1*.txt"], MaxSize = 1_000_000 } });
        Console.WriteLine($"{filtered.Files} files back");
    }

    private static async Task ResumeAsync(TransferClient client)
    {
        // In every run: the journal knows whether the part at the server is of this file.
        await client.UploadFileAsync("disk.img", "disk.img", new UploadOptions { Resume = true, Overwrite = OverwriteMode.Always });
    }

    private static async Task ProgressAsync(TransferClient client)
    {
        var progress = new Progress<TransferProgress>(now => Console.WriteLine($"{now.Bytes} of {now.TotalBytes} bytes"));
        await client.UploadFileAsync("disk.img", "video.bin", new UploadOptions { Overwrite = OverwriteMode.Always }, progress);
    }

    private static async Task SmallFilesAsync(TransferClient client)
    {
        var small = await client.UploadDirectoryAsync("small", "small", new DirectoryOptions { Overwrite = OverwriteMode.Always });
        Console.WriteLine($"{small.Files} small files over {small.Sessions} sessions");
    }

    private static async Task BetweenServersAsync(TransferClient from, TransferClient to)
    {
        await from.CopyFileAsync("reports/report.pdf", to, "report.copy.pdf", new UploadOptions { Overwrite = OverwriteMode.Always });
    }

    private static async Task EntriesAsync(TransferClient client)
    {
        await foreach (var entry in client.ListAsync("site", new ListOptions { Recursive = true }))
            Console.WriteLine($"{entry.Path} {entry.Length} {entry.Modified}");
        if (await client.ExistsAsync("notes.txt")) await client.MoveAsync("notes.txt", "reports/notes.txt", overwrite: true);
        var hash = await client.GetHashAsync("reports/notes.txt", "SHA-256");
        Console.WriteLine($"notes.txt: {hash}");
        await client.DeleteAsync("site", recursive: true);

        try
        {
            await client.DownloadFileAsync("absent.pdf", "absent.pdf");
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            Console.WriteLine($"{e.RemotePath} is not there: reply {e.ServerCode}");
        }
    }
}
