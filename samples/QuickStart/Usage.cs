using Transfer;

namespace QuickStart;

/// <summary>What a client does: the same over every protocol.</summary>
internal static class Usage
{
    public static async Task UploadAsync(TransferClient client)
    {
        await client.UploadFileAsync("report.pdf", "inbox/report.pdf", new UploadOptions { CreateDirectories = true });
        await client.DownloadFileAsync("inbox/report.pdf", "copy.pdf", new DownloadOptions { Overwrite = OverwriteMode.Always });
    }

    public static async Task FolderAsync(TransferClient client)
    {
        var job = await client.UploadDirectoryAsync("photos", "photos", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
        Console.WriteLine($"{job.Files} files in {job.Elapsed}, {job.Failed} failed");
    }

    public static async Task SyncAsync(TransferClient client)
    {
        var job = await client.SynchronizeAsync("site", "www", SyncDirection.Up, new SyncOptions { Delete = true });
        Console.WriteLine($"{job.Files} sent, {job.Unchanged} unchanged, {job.Deleted} deleted");
    }

    public static async Task ProgressAsync(TransferClient client)
    {
        var progress = new Progress<TransferProgress>(
            now => Console.WriteLine($"{now.Files} of {now.TotalFiles} files, {now.BytesPerSecond / 1e6:F1} MB/s"));
        await client.DownloadDirectoryAsync("photos", "photos.copy", new DirectoryOptions { Overwrite = OverwriteMode.Newer }, progress);
    }

    public static async Task JobAsync(TransferClient client)
    {
        await using var job = client.StartUploadDirectory("photos", "photos.again", readItems: true);
        await foreach (var item in job.ReadItemsAsync()) Console.WriteLine($"{item.Path}: {item.Error?.Message ?? "done"}");
        var result = await job.Completion;
        Console.WriteLine($"{result.Files} files");
    }

    public static async Task ErrorsAsync(TransferClient client)
    {
        try
        {
            await client.DownloadFileAsync("inbox/absent.pdf", "absent.pdf");
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            Console.WriteLine($"{e.RemotePath} is not there.");
        }

        var job = await client.UploadDirectoryAsync("photos", "photos"); // OverwriteMode.Fail is the default
        foreach (var failure in job.Failures) Console.WriteLine($"{failure.Path}: {failure.Error?.Error}");
    }
}
