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
        await ResumeAsync(client);
        await ProgressAsync(client);
        await SmallFilesAsync(() =>
        {
            var another = new AsyncFtpClient(host, user, password, port);
            another.Config.EncryptionMode = FtpEncryptionMode.Explicit;
            another.ValidateCertificate += (_, e) => e.Accept = e.Certificate.GetCertHashString() == thumbprint;
            return another;
        });
        await BetweenServersAsync(client, client);
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

    private static async Task ResumeAsync(AsyncFtpClient client)
    {
        await client.UploadFile("disk.img", "/theirs/disk.img", FtpRemoteExists.Resume); // by the length alone
    }

    private static async Task ProgressAsync(AsyncFtpClient client)
    {
        var progress = new Progress<FtpProgress>(now => Console.WriteLine($"{now.Progress} %"));
        await client.UploadFile("disk.img", "/theirs/video.bin", FtpRemoteExists.Overwrite, progress: progress);
    }

    private static async Task SmallFilesAsync(Func<AsyncFtpClient> connect)
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = 4 };
        await Parallel.ForEachAsync(Directory.GetFiles("small").Chunk(25), options, async (files, token) =>
        {
            await using var client = connect();
            await client.Connect(token);
            await client.UploadFiles(files, "/theirs/small", token: token);
        });
    }

    private static async Task BetweenServersAsync(AsyncFtpClient from, AsyncFtpClient to)
    {
        using var content = new MemoryStream(); // or a local file; TransferFile goes by FXP where both servers allow that
        await from.DownloadStream(content, "/theirs/reports/report.pdf");
        content.Position = 0;
        await to.UploadStream(content, "/theirs/report.copy.pdf");
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
