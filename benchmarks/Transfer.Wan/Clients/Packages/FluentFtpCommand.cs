#if FLUENTFTP
using System.Globalization;
using FluentFTP;
using Transfer.FluentFtp;

namespace Transfer.Wan.Clients.Packages;

/// <summary>
/// <c>client fluentftp WAY CLIENTS up|down URL FOLDER</c>: FluentFTP over ftp: or ftpes:, as it is (<c>plain</c>) or <c>tuned</c>, the
/// folder's files shared among so many client objects; or by our engine over it (<c>adapter</c>), with so many sessions at most.
/// </summary>
internal static class FluentFtpCommand
{
    public static async Task<int> RunAsync(string[] words)
    {
        var (way, clients, isUpload) = (words[0], int.Parse(words[1], CultureInfo.InvariantCulture), words[2] == "up");
        var (url, folder) = (new Uri(words[3]), words[4]);
        var path = url.AbsolutePath.TrimEnd('/');
        await (way == "adapter" ? MoveByAdapterAsync(url, path, folder, clients, isUpload) : MoveAsync(url, path, folder, way == "tuned",
            clients, isUpload));
        return 0;
    }

    private static async Task MoveByAdapterAsync(Uri url, string path, string folder, int sessions, bool isUpload)
    {
        await using var client = new FluentFtpTransferClient(() =>
            Create(url, isTuned: false), "/", new TransferClientOptions { MaxSessions = sessions });
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always };
        var job = await (isUpload ? client.UploadDirectoryAsync(folder, path, options) : client.DownloadDirectoryAsync(path, folder,
            options));
        if (job.Failed > 0) throw new IOException($"{job.Failed} files were not moved: {job.Failures[0].Error?.Message}");
    }

    private static async Task MoveAsync(Uri url, string path, string folder, bool isTuned, int clients, bool isUpload)
    {
        var names = isUpload ? [.. Directory.EnumerateFiles(folder).Select(Path.GetFileName)] : await NamesAsync(url, path);
        await new Shares(clients).RunAsync(names, async share =>
        {
            await using var client = Create(url, isTuned);
            await client.Connect();
            var results = isUpload
                ? await client.UploadFiles(share.Select(name => Path.Combine(folder, name!)), path)
                : await client.DownloadFiles(folder, share.Select(name => $"{path}/{name}"));
            if (results.Exists(result => !result.IsSuccess)) throw new IOException("FluentFTP did not move every file.");
        });
    }

    private static async Task<IReadOnlyList<string?>> NamesAsync(Uri url, string path)
    {
        await using var client = Create(url, isTuned: false);
        await client.Connect();
        return [.. (await client.GetListing(path)).Select(entry => entry.Name)];
    }

    private static AsyncFtpClient Create(Uri url, bool isTuned)
    {
        var client = new AsyncFtpClient(url.Host, url.UserInfo, Environment.GetEnvironmentVariable("TRANSFER_PASSWORD"), url.Port);
        if (url.Scheme == "ftpes")
        {
            client.Config.EncryptionMode = FtpEncryptionMode.Explicit;
            client.Config.ValidateAnyCertificate = true;
        }
        return isTuned ? client.Tune() : client;
    }
}
#endif
