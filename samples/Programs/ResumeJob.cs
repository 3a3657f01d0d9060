using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>An upload that is broken off, and goes on where it was.</summary>
internal static class ResumeJob
{
    public static async Task RunAsync(Uri server, TransferCredential logIn)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions { Credential = logIn, JournalDirectory = "journals" });
        var options = new DirectoryOptions { Resume = true, Overwrite = OverwriteMode.Newer };

        await using (var job = client.StartUploadDirectory("photos", "photos", options, readItems: true))
        {
            await foreach (var item in job.ReadItemsAsync().Take(10)) Console.WriteLine($"{item.Path} is there");
            await job.StopAsync(); // Or the process is killed, or the power fails.
        }

        // The same call, in the same process or the next one, sends what is missing.
        var rest = await client.UploadDirectoryAsync("photos", "photos", options);
        Console.WriteLine($"{rest.Files} files sent by the second run, {rest.Failed} failed");
    }
}
