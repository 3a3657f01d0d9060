using Transfer;

namespace QuickStart;

/// <summary>What a client does: the same over every protocol.</summary>
internal static class Usage
{
    public static async Task FolderAsync(TransferClient client)
    {
        var job = await client.UploadDirectoryAsync("photos", "photos", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
        Console.WriteLine($"{job.Files} files in {job.Elapsed}, {job.Failed} failed");
    }

    // In one scope: a reader of README may paste all of these blocks, one behind the other, into one program.
    public static async Task ContinueAsync(TransferClient client)
    {
        await client.UploadFileAsync("report.pdf", "inbox/report.pdf", new UploadOptions { CreateDirectories = true });
        await client.DownloadFileAsync("inbox/report.pdf", "copy.pdf", new DownloadOptions { Overwrite = OverwriteMode.Always });

        var sync = await client.SynchronizeAsync("site", "www", SyncDirection.Up, new SyncOptions { Delete = true });
        Console.WriteLine($"{sync.Files} sent, {sync.Unchanged} unchanged, {sync.Deleted} deleted");

        var progress = new Progress<TransferProgress>(
            now => Console.WriteLine($"{now.Files} of {now.TotalFiles} files, {now.BytesPerSecond / 1e6:F1} MB/s"));
        await client.DownloadDirectoryAsync("photos", "photos.copy", new DirectoryOptions { Overwrite = OverwriteMode.Newer }, progress);

        await using var running = client.StartUploadDirectory("photos", "photos.again", readItems: true);
        await foreach (var item in running.ReadItemsAsync()) Console.WriteLine($"{item.Path}: {item.Error?.Message ?? "done"}");
        var result = await running.Completion;
        Console.WriteLine($"{result.Files} files");

        try
        {
            await client.DownloadFileAsync("inbox/absent.pdf", "absent.pdf");
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            Console.WriteLine($"{e.RemotePath} is not there.");
        }

        var again = await client.UploadDirectoryAsync("photos", "photos"); // OverwriteMode.Fail is the default
        foreach (var failure in again.Failures) Console.WriteLine($"{failure.Path}: {failure.Error?.Error}");
    }
}
