using Transfer;

namespace Programs;

/// <summary>Many small files: in a few streams where the server runs commands, else file by file.</summary>
internal static class ManySmallFiles
{
    public static async Task RunAsync(TransferClient client)
    {
        var result = await client.UploadDirectoryAsync("photos", "photos", new BatchOptions
        {
            Mode = BatchMode.Auto,
            Directory = new DirectoryOptions { Overwrite = OverwriteMode.Newer },
        });
        Console.WriteLine($"{result.Files} files by {result.Way}. {result.Reason}");
    }
}
