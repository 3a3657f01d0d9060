using Transfer.Wan.Clients;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>One small file at 100 ms: the start of the program, the log-in, and few round trips.</summary>
internal static class StartUp
{
    private static readonly ClientTurn[] SshPeers = ["scp", "sftp", "rsync over ssh", "lftp", "rclone 1", "SSH.NET"];
    private static readonly ClientTurn[] FtpPeers = ["curl", "lftp", "rclone 1", "FluentFTP"];

    public static WanReport Report { get; } = new()
    {
        Name = "start-up",
        Full = [.. Rows(isUpload: true, 5), .. Rows(isUpload: false, 5)],
        Quick = [.. Rows(isUpload: true, 1)],
    };

    private static IEnumerable<Scenario> Rows(bool isUpload, int rounds) =>
    [
        Row(Protocol.SFTP, ServerNames.OpenSsh, isUpload, rounds, ["transfer", TransferPasswordClient.Name, .. SshPeers]),
        Row(Protocol.FTP, ServerNames.Vsftpd, isUpload, rounds, ["transfer", .. FtpPeers]),
        Row(Protocol.FTPS, ServerNames.Vsftpd, isUpload, rounds, ["transfer", .. FtpPeers]),
    ];

    private static Scenario Row(Protocol protocol, string server, bool isUpload, int rounds, IReadOnlyList<ClientTurn> clients) =>
        SmallFiles.Row(1, protocol, server, isUpload, clients) with { Rounds = rounds };
}
