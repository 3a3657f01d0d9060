using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>How far a job is, and how it is held.</summary>
internal static class ShowProgress
{
    public static async Task RunAsync(Uri server, TransferCredential logIn)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions { Credential = logIn });

        var progress = new Progress<TransferProgress>(now =>
            Console.WriteLine($"{now.Files} of {now.TotalFiles} files, {now.Bytes} bytes, {now.BytesPerSecond / 1e6:F1} MB/s"));
        await client.UploadDirectoryAsync("photos", "photos", progress: progress);

        await using var job = client.StartDownloadDirectory("photos", "photos.copy", readItems: true);
        job.Pause();
        job.Resume();
        await foreach (var item in job.ReadItemsAsync()) Console.WriteLine($"{item.Path}: {item.Error?.Message ?? "done"}");
        Console.WriteLine($"{(await job.Completion).Bytes} bytes");
    }
}
