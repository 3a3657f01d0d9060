using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>A million files, listed over loopback: what an entry costs where round trips cost nothing, and how much memory.</summary>
internal static class Walks
{
    public const int Files = 1_000_000;
    public const int Folders = 10_000;
    private const int Few = 50_000;

    public static WanReport Report { get; } = new()
    {
        Name = "walks",
        IsInMemory = true,
        Full = [.. Rows(Files, Folders, 3)],
        Quick = [.. Rows(Few, Folders / (Files / Few), 1)],
    };

    private static IEnumerable<Scenario> Rows(int files, int folders, int rounds) =>
        from at in new[]
        {
            (Protocol.SFTP, ServerNames.OpenSsh), (Protocol.FTP, ServerNames.Proftpd), (Protocol.FTP, ServerNames.Vsftpd),
            (Protocol.FTP, ServerNames.PureFtpd),
        }
        select new Scenario
        {
            Link = null,
            Files = files,
            Size = FileSize.Ki(0),
            Folders = folders,
            IsUpload = false,
            Tree = TreeWork.List,
            Protocol = at.Item1,
            Server = at.Item2,
            Clients = ["transfer", new("rclone 8", Rounds: 1)],
            Rounds = rounds,
        };
}
