#if PEERS
using System.Globalization;
using Renci.SshNet;

namespace Transfer.Wan.Clients.Packages;

/// <summary><c>client sshnet CLIENTS up|down URL FOLDER</c>: SSH.NET, the folder's files shared among so many client objects.</summary>
internal static class SshNetCommand
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
            // Its transfers block.
            await Task.Run(() =>
            {
                foreach (var name in share) Move(client, isUpload, Path.Combine(folder, name!), $"{path}/{name}");
            });
        });
        return 0;
    }

    private static void Move(SftpClient client, bool isUpload, string local, string remote)
    {
        using var file = isUpload ? File.OpenRead(local) : File.Create(local);
        if (isUpload) client.UploadFile(file, remote);
        else client.DownloadFile(remote, file);
    }

    private static async Task<IReadOnlyList<string?>> NamesAsync(Uri url, string path)
    {
        using var client = await ConnectAsync(url);
        return [.. client.ListDirectory(path).Where(entry => entry.IsRegularFile).Select(entry => entry.Name)];
    }

    private static async Task<SftpClient> ConnectAsync(Uri url)
    {
        var key = new PrivateKeyFile(Environment.GetEnvironmentVariable("TRANSFER_IDENTITY")!);
        var client = new SftpClient(url.Host, url.Port, url.UserInfo, key);
        await client.ConnectAsync(CancellationToken.None);
        return client;
    }
}
#endif
