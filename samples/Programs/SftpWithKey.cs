using Transfer.Sftp;

namespace Programs;

/// <summary>SFTP with a private key, to a host whose key is known.</summary>
internal static class SftpWithKey
{
    public static async Task RunAsync(Uri server, string keyFile, string knownHosts)
    {
        using var key = await SshIdentity.FromFileAsync(keyFile);
        await using var client = new SftpTransferClient(server, new SftpOptions
        {
            Identities = [key],
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [knownHosts] },
        });

        var job = await client.UploadDirectoryAsync("photos", "photos");
        Console.WriteLine($"{job.Files} files sent with the key {key.Fingerprint}");
    }
}
