using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>A folder up: new and changed files, some left out.</summary>
internal static class SendFolder
{
    public static async Task RunAsync(Uri server, TransferCredential logIn)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions { Credential = logIn });

        var job = await client.UploadDirectoryAsync("photos", "photos", new DirectoryOptions
        {
            Overwrite = OverwriteMode.Newer,
            Filter = new TransferFilter { Exclude = ["*.tmp", ".cache/"] },
        });

        Console.WriteLine($"{job.Files} files sent, {job.Skipped} skipped, {job.Failed} failed");
        foreach (var failure in job.Failures) Console.Error.WriteLine($"{failure.Path}: {failure.Error?.Message}");
    }
}
