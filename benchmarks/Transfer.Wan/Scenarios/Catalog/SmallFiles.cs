using Transfer.Wan.Clients;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>Document 1: many small files at 100 ms, by protocol, server and client.</summary>
internal static class SmallFiles
{
    public const string Sixteen = "transfer --sessions 16";

    /// <summary>Given by name, files are one job as in their folder.</summary>
    public const string Named = TransferFilesClient.Name;

    public const string NamedSixteen = Named + " --sessions 16";

    private const int Some = 200;
    private const int Many = 1000;
    private const int Most = 10_000;

    // Clients that take seconds a file move so many; their reports' rows are extrapolated and say so.
    private const int Few = 20;

    private static readonly FileSize Small = FileSize.Ki(10);
    private static readonly Scenario Ftp = new()
    {
        Link = WanLinks.Small,
        Files = Some,
        Size = Small,
        IsUpload = true,
        Protocol = Protocol.FTP,
        Server = ServerNames.Vsftpd,
        Clients = [],
    };

    private static readonly Scenario Ftps = Ftp with { Protocol = Protocol.FTPS };
    private static readonly Scenario Sftp = Ftp with { Protocol = Protocol.SFTP, Server = ServerNames.OpenSsh };

    public static WanReport Report { get; } = new()
    {
        Name = "small-files",
        Full =
        [
            Ftp with
            {
                Clients =
                [
                    Sixteen, NamedSixteen, new("transfer --sessions 1", Few), new("lftp", Few, Rounds: 1), "lftp parallel 8",
                    new("curl", Few, Rounds: 1), new("rclone 8", 80),
                    new("stock .NET --no-reverse-lookup", Few, Rounds: 1), new("FluentFTP", Few, Rounds: 1), "FluentFTP 8",
                ],
            },
            Ftp with { Server = ServerNames.Proftpd, Clients = [Sixteen, new("transfer --sessions 1", Few)] },
            Ftp with { IsUpload = false, Clients = [Sixteen, new("lftp parallel 8", Rounds: 1)] },
            Ftps with { Server = ServerNames.Proftpd,
                Clients = [Sixteen, new("lftp parallel 8", 80, Rounds: 1), new("FluentFTP", Few, Rounds: 1)] },
            Ftps with { Clients = [Sixteen] },
            Sftp with
            {
                Clients =
                [
                    "transfer", Named, "tar over ssh", "rsync over ssh", new("lftp parallel 8", Rounds: 1), new("scp", Few, Rounds: 1),
                    new("sftp", Few, Rounds: 1),
                    new("rclone 8", 80, Rounds: 1), new("SSH.NET", Few, Rounds: 1), "SSH.NET 8",
                ],
            },
            Sftp with { IsUpload = false,
                Clients = ["transfer", "tar over ssh", "rsync over ssh", new("SSH.NET", Few, Rounds: 1), "SSH.NET 8"] },
            Ftp with { Files = Many, Server = ServerNames.Proftpd, Clients = [Sixteen], Rounds = 2 },
            Ftp with { Files = Many, Server = ServerNames.PureFtpd, Clients = [Sixteen], Rounds = 2 },
            Ftp with { Files = Many, Clients = [Sixteen], Rounds = 2 },
            Sftp with { Files = Most, Clients = ["transfer", "tar over ssh", "rsync over ssh"], Rounds = 2 },
            Sftp with { Files = Most, IsUpload = false, Clients = ["transfer", "rsync over ssh"], Rounds = 2 },
        ],
        Quick =
        [
            Ftp with { Clients = [Sixteen, new("transfer --sessions 1", 10), new("lftp", 5), new("lftp parallel 8", 40)], Rounds = 1 },
            Ftps with { Server = ServerNames.Proftpd, Clients = [Sixteen], Rounds = 1 },
            Sftp with { Clients = ["transfer", "tar over ssh", "rsync over ssh", new("scp", 10)], Rounds = 1 },
            Sftp with { IsUpload = false, Clients = ["transfer", "tar over ssh"], Rounds = 1 },
            Sftp with { Files = Most, Clients = ["transfer", "tar over ssh"], Rounds = 1 },
        ],
    };

    /// <summary>A row of this report for others, by its files, protocol, server and direction.</summary>
    public static Scenario Row(int files, Protocol protocol, string server, bool isUpload, params IReadOnlyList<ClientTurn> clients) =>
        Ftp with { Files = files, Protocol = protocol, Server = server, IsUpload = isUpload, Clients = clients };
}
