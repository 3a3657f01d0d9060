using System.Globalization;
using Renci.SshNet;
using Transfer.SshNet;

namespace Transfer.Wan.Clients.Packages;

/// <summary>
/// <c>client sshnet WAY CLIENTS up|down URL FOLDER</c>: SSH.NET as it is (<c>plain</c>) or <c>tuned</c>, the folder's files shared among so
/// many client objects; or by our
/// engine over it (<c>adapter</c>), with so many sessions at most.
/// </summary>
internal static class SshNetCommand
{
    public static async Task<int> RunAsync(string[] words)
    {
        var (way, clients, isUpload) = (words[0], int.Parse(words[1], CultureInfo.InvariantCulture), words[2] == "up");
        var (url, folder) = (new Uri(words[3]), words[4]);
        var path = url.AbsolutePath.TrimEnd('/');
        await (way == "adapter"
            ? MoveByAdapterAsync(url, path, folder, clients, isUpload) : MoveAsync(url, path, folder, way == "tuned", clients, isUpload));
        return 0;
    }

    private static async Task MoveByAdapterAsync(Uri url, string path, string folder, int sessions, bool isUpload)
    {
        await using var client = new SshNetTransferClient(() => Create(url, isTuned: false), "/",
            new SshNetOptions { MaxSessions = sessions });
        var options = new DirectoryOptions { Overwrite = OverwriteMode.Always };
        var job =
            await (isUpload ? client.UploadDirectoryAsync(folder, path, options) : client.DownloadDirectoryAsync(path, folder, options));
        if (job.Failed > 0) throw new IOException($"{job.Failed} files were not moved: {job.Failures[0].Error?.Message}");
    }

    private static async Task MoveAsync(Uri url, string path, string folder, bool isTuned, int clients, bool isUpload)
    {
        var names = isUpload ? [.. Directory.EnumerateFiles(folder).Select(Path.GetFileName)] : await NamesAsync(url, path);
        await new Shares(clients).RunAsync(names, async share =>
        {
            using var client = Create(url, isTuned);
            await client.ConnectAsync(CancellationToken.None);
            // Its transfers block.
            await Task.Run(() =>
            {
                foreach (var name in share) Move(client, isUpload, Path.Combine(folder, name!), $"{path}/{name}");
            });
        });
    }

    private static void Move(SftpClient client, bool isUpload, string local, string remote)
    {
        using var file = isUpload ? File.OpenRead(local) : File.Create(local);
        if (isUpload) client.UploadFile(file, remote);
        else client.DownloadFile(remote, file);
    }

    private static async Task<IReadOnlyList<string?>> NamesAsync(Uri url, string path)
    {
        using var client = Create(url, isTuned: false);
        await client.ConnectAsync(CancellationToken.None);
        return [.. client.ListDirectory(path).Where(entry => entry.IsRegularFile).Select(entry => entry.Name)];
    }

    private static SftpClient Create(Uri url, bool isTuned)
    {
        var key = new PrivateKeyFile(Environment.GetEnvironmentVariable("TRANSFER_IDENTITY")!);
        var client = new SftpClient(url.Host, url.Port, url.UserInfo, key);
        return isTuned ? client.Tune() : client;
    }
}
