#if PEERS
using System.Globalization;
using FluentFTP;

namespace Transfer.Wan.Clients.Packages;

/// <summary><c>client fluentftp CLIENTS up|down URL FOLDER</c>: FluentFTP over ftp: or ftpes:, the folder's files shared among so many client objects.</summary>
internal static class FluentFtpCommand
{
    public static async Task<int> RunAsync(string[] words)
    {
        var shares = new Shares(int.Parse(words[0], CultureInfo.InvariantCulture));
        var (isUpload, url, folder) = (words[1] == "up", new Uri(words[2]), words[3]);
        var path = url.AbsolutePath.TrimEnd('/');
        var names = isUpload ? [.. Directory.EnumerateFiles(folder).Select(Path.GetFileName)] : await NamesAsync(url, path);
        await shares.RunAsync(names, async share =>
        {
            using var client = await ConnectAsync(url);
            var results = isUpload
                ? await client.UploadFiles(share.Select(name => Path.Combine(folder, name!)), path)
                : await client.DownloadFiles(folder, share.Select(name => $"{path}/{name}"));
            if (results.Exists(result => !result.IsSuccess)) throw new IOException("FluentFTP did not move every file.");
        });
        return 0;
    }

    private static async Task<IReadOnlyList<string?>> NamesAsync(Uri url, string path)
    {
        using var client = await ConnectAsync(url);
        return [.. (await client.GetListing(path)).Select(entry => entry.Name)];
    }

    private static async Task<AsyncFtpClient> ConnectAsync(Uri url)
    {
        var client = new AsyncFtpClient(url.Host, url.UserInfo, Environment.GetEnvironmentVariable("TRANSFER_PASSWORD"), url.Port);
        if (url.Scheme == "ftpes")
        {
            client.Config.EncryptionMode = FtpEncryptionMode.Explicit;
            client.Config.ValidateAnyCertificate = true;
        }

        await client.Connect();
        return client;
    }
}
#endif
