using Transfer;
using Transfer.Ftp;

namespace Programs;

/// <summary>One file up and down, a stream, and a listing.</summary>
internal static class UploadFile
{
    public static async Task RunAsync(Uri server, TransferCredential logIn)
    {
        await using var client = new FtpTransferClient(server, new FtpOptions { Credential = logIn });

        var sent = await client.UploadFileAsync("report.pdf", "inbox/report.pdf",
            new UploadOptions { CreateDirectories = true, Overwrite = OverwriteMode.Always });
        Console.WriteLine($"{sent.Bytes} bytes, checked by {sent.Verified}");
        await client.DownloadFileAsync("inbox/report.pdf", "copy.pdf");

        await using (var stream = await client.OpenWriteAsync("inbox/notes.txt"))
        {
            await stream.WriteAsync("written by the program"u8.ToArray());
            await stream.CommitAsync(); // Without it nothing appears at the server.
        }

        await foreach (var entry in client.ListAsync("inbox")) Console.WriteLine($"{entry.Name}, {entry.Length} bytes");
    }
}
