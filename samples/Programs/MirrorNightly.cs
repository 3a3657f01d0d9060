using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>A folder at the server made like the local one, by a scheduler, without anybody who looks on.</summary>
internal static class MirrorNightly
{
    public static async Task<int> RunAsync(Uri server, TransferCredential logIn)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions { Credential = logIn });

        var job = await client.SynchronizeAsync("site", "www", SyncDirection.Up, new SyncOptions
        {
            Delete = true,
            MaxDelete = DeletionLimit.OfPercent(20), // More than that is a mistake at the source.
            BackupDirectory = ".replaced",
            Lock = "site.lock", // A run that is still under way refuses the next one.
            Filter = new TransferFilter { Exclude = ["*.tmp"] },
        });

        Console.WriteLine($"{job.Files} sent, {job.Unchanged} unchanged, {job.Moved} renamed, {job.Deleted} deleted, {job.Failed} failed");
        foreach (var failure in job.Failures) Console.Error.WriteLine($"{failure.Path}: {failure.Error?.Message}");
        return job.Failed == 0 ? 0 : 1;
    }
}
