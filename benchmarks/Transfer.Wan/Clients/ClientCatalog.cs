namespace Transfer.Wan.Clients;

/// <summary>All clients, by the first words of their labels.</summary>
internal static class ClientCatalog
{
    private static readonly (string Name, Func<string, WanClient> Make)[] Known =
    [
        (TransferSpoolClient.Name, label => new TransferSpoolClient(label)),
        (TransferReceiveClient.Name, label => new TransferReceiveClient(label)),
        (TransferSendClient.Name, label => new TransferSendClient(label)),
        (TransferFilesClient.Name, label => new TransferFilesClient(label)),
        (TransferPasswordClient.Name, label => new TransferPasswordClient(label)),
        (TransferClientCommand.Name, label => new TransferClientCommand(label)),
        (StockClient.Name, label => new StockClient(label)),
        (PwshClient.Name, label => new PwshClient(label)),
        ("lftp", label => new LftpClient(label)),
        ("curl", label => new CurlClient(label)),
        ("rclone", label => new RcloneClient(label)),
        ("scp", label => new ScpClient(label)),
        ("sftp", label => new SftpProgram(label)),
        ("rsync over ssh", label => new RsyncClient(label)),
        ("tar over ssh", label => new TarClient(label)),
        ("wget", label => new HttpDownloader(label)),
        ("axel", label => new HttpDownloader(label)),
        ("aria2c", label => new HttpDownloader(label)),
        ("FluentFTP", label => new FluentFtpPeer(label)),
        ("Transfer.FluentFtp", label => new FluentFtpPeer(label)),
        ("SSH.NET", label => new SshNetPeer(label)),
        ("Transfer.SshNet", label => new SshNetPeer(label)),
    ];

    public static WanClient Find(string label)
    {
        foreach (var (name, make) in Known)
        {
            if (label == name || label.StartsWith(name + " ", StringComparison.Ordinal)) return make(label);
        }

        throw new ArgumentException($"There is no client '{label}'.", nameof(label));
    }
}
