#if FLUENTFTP
using FluentFTP;
using FluentFTP.Exceptions;
using FluentFTP.Rules;

namespace FluentFtpMigration;

/// <summary>The same tasks as in Ours.cs, by FluentFTP.</summary>
internal static class Theirs
{
    public static async Task RunAsync(string host, int port, string user, string password, string thumbprint)
    {
        await using var client = new AsyncFtpClient(host, user, password, port);
        client.Config.EncryptionMode = FtpEncryptionMode.Explicit;
        client.ValidateCertificate += (_, e) => e.Accept = e.Certificate.GetCertHashString() == thumbprint;
        await client.Connect();

        await FilesAsync(client);
        await FoldersAsync(client);
        await EntriesAsync(client);
    }

    private static async Task FilesAsync(AsyncFtpClient client)
    {
        var status = await client.UploadFile("report.pdf", "/theirs/reports/report.pdf",
            FtpRemoteExists.Overwrite, createRemoteDir: true, FtpVerify.Retry);
        Console.WriteLine($"{status}");

        await client.DownloadFile("copy.pdf", "/theirs/reports/report.pdf", FtpLocalExists.Resume);

        await using (var stream = await client.OpenWrite("/theirs/notes.txt"))
        {
            await stream.WriteAsync("written by the program"u8.ToArray());
        }
        await client.GetReply();
    }

    private static async Task FoldersAsync(AsyncFtpClient client)
    {
        var progress = new Progress<FtpProgress>(now => Console.WriteLine($"{now.Progress} % of file {now.FileIndex} of {now.FileCount}"));
        var results = await client.UploadDirectory("site", "/theirs/site", FtpFolderSyncMode.Update, FtpRemoteExists.Overwrite,
            progress: progress);
        foreach (var failed in results.Where(result => result.IsFailed))
            Console.WriteLine($"{failed.RemotePath}: {failed.Exception?.Message}");

        await client.UploadDirectory("site", "/theirs/site", FtpFolderSyncMode.Mirror, FtpRemoteExists.Skip);

        FtpRule[] rules = [new FtpFileNameRegexRule(true, ["^1.*\\.txt$"]), new FtpSizeRule(FtpOperator.LessThan, 1_000_000)];
        var back = await client.DownloadDirectory("back-theirs", "/theirs/site", rules: [.. rules]);
        Console.WriteLine($"{back.Count(result => result.IsSuccess)} files back");
    }

    private static async Task EntriesAsync(AsyncFtpClient client)
    {
        foreach (var item in await client.GetListing("/theirs/site", FtpListOption.Recursive))
            Console.WriteLine($"{item.FullName} {item.Size} {item.Modified}");
        if (await client.FileExists("/theirs/notes.txt")) await client.MoveFile("/theirs/notes.txt", "/theirs/reports/notes.txt");
        var hash = await client.GetChecksum("/theirs/reports/notes.txt", FtpHashAlgorithm.SHA256);
        Console.WriteLine($"notes.txt: {hash.Value}");
        await client.DeleteDirectory("/theirs/site");

        try
        {
            await client.DownloadFile("absent.pdf", "/theirs/absent.pdf");
        }
        catch (FtpMissingObjectException e)
        {
            Console.WriteLine($"{e.Message}");
        }
    }
}
#endif
