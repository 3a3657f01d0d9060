using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>What goes wrong: what is tried again, what is not, and how a program tells one from the other.</summary>
internal static class HandleErrors
{
    public static async Task RunAsync(Uri server, TransferCredential logIn)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions
        {
            Credential = logIn,
            Retry = new RetryOptions { Attempts = 4, FirstDelay = TimeSpan.FromMilliseconds(100) },
            IdleTimeout = TimeSpan.FromSeconds(30),
        });

        var sent = await client.UploadFileAsync("report.pdf", "report.pdf");
        Console.WriteLine($"sent at attempt {sent.Attempts}");

        try
        {
            await client.DownloadFileAsync("absent.pdf", "absent.pdf");
        }
        catch (TransferException e) when (e.Error is TransferError.NotFound)
        {
            Console.WriteLine($"{e.RemotePath} is not there");
        }
        catch (TransferException e) when (e.IsTransient)
        {
            Console.WriteLine($"later perhaps: {e.Message}");
        }

        // Of a folder one failure never hides the others.
        var job = await client.UploadDirectoryAsync("photos", "photos");
        foreach (var failure in job.Failures)
            Console.WriteLine($"{failure.Path}: {failure.Error?.Error}, reply {failure.Error?.ServerCode}");
    }
}
