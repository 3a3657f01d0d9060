using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>Operations on a tree of 10,000 files in 400 folders, where the number of round trips decides.</summary>
internal static class Trees
{
    public const int Files = 10_000;
    public const int Folders = 400;

    // Two of the peers take a round trip an entry or more: their pace shows in less than the quarter of an hour that they would take.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static readonly string[] FtpServers = [ServerNames.Proftpd, ServerNames.Vsftpd, ServerNames.PureFtpd];

    public static WanReport Report { get; } = new() { Name = "trees", IsInMemory = true, Full = [.. Rows(3)], Quick = [.. Few()] };

    /// <summary>All operations over SFTP, and over FTP at three servers; peers that take half a minute have one turn each.</summary>
    private static IEnumerable<Scenario> Rows(int rounds)
    {
        foreach (var work in Enum.GetValues<TreeWork>())
        {
            yield return Row(work, Protocol.SFTP, ServerNames.OpenSsh, rounds, [.. SftpPeers(work)]);
            foreach (var server in FtpServers) yield return Row(work, Protocol.FTP, server, rounds, [.. FtpPeers(work)]);
        }
    }

    /// <summary>The rows with a peer that is as quick, and one over FTP.</summary>
    public static IEnumerable<Scenario> Few() =>
    [
        Row(TreeWork.Sync, Protocol.SFTP, ServerNames.OpenSsh, 1, "rsync over ssh"),
        Row(TreeWork.List, Protocol.FTP, ServerNames.Vsftpd, 1),
        Row(TreeWork.Delete, Protocol.FTP, ServerNames.Vsftpd, 1),
    ];

    private static IEnumerable<ClientTurn> SftpPeers(TreeWork work) => work switch
    {
        TreeWork.List or TreeWork.Sync => ["rsync over ssh", new("rclone 8", Rounds: 1)],
        TreeWork.Delete => [new("rclone 8", Rounds: 1)],
        _ => [new("lftp", Rounds: 1)],
    };

    private static IEnumerable<ClientTurn> FtpPeers(TreeWork work) => work switch
    {
        TreeWork.List => [new("rclone 8", Rounds: 1)],
        TreeWork.Sync => [new("rclone 8", Rounds: 1), new("lftp parallel 8", Rounds: 1)],
        TreeWork.Delete => [new("rclone 8", Rounds: 1), new("lftp", Rounds: 1)],
        _ => [new("lftp", Rounds: 1)],
    };

    private static Scenario Row(
        TreeWork work, Protocol protocol, string server, int rounds, params IReadOnlyList<ClientTurn> peers) => new()
        {
            Link = WanLinks.Small,
            Files = Files,
            Size = FileSize.Ki(1),
            Folders = Folders,
            IsUpload = true,
            Tree = work,
            Protocol = protocol,
            Server = server,
            Clients = ["transfer", .. peers],
            Rounds = rounds,
            // What was listed or compared by then cannot be seen.
            StopAfter = work is TreeWork.Delete or TreeWork.Modes ? Patience : null,
        };
}
