using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>Document 4: very many small files between two hosts of one network.</summary>
internal static class HostToHost
{
    // 589 MB in 100,000 files, as published.
    private static readonly FileSize Published = new(5890, "5.9KB");

    public static WanReport Report { get; } = new()
    {
        Name = "host-to-host",
        Full = [Row(100_000, 3) with { IsCold = true }, Row(100_000, 3), Row(10_000, 3), Row(10_000, 2) with { IsCold = true }],
        Quick = [Row(10_000, 1), Row(10_000, 1) with { IsCold = true }],
    };

    /// <summary>So many files by every client that can take them.</summary>
    public static Scenario Row(int files, int rounds) => new()
    {
        Link = WanLinks.Lan,
        Files = files,
        Size = Published,
        IsUpload = true,
        Protocol = Protocol.SFTP,
        Server = ServerNames.OpenSsh,
        Clients =
        [
            "transfer send", "transfer send --durability none", "transfer", "rsync over ssh", "tar over ssh",
            new("SSH.NET", 1_000, Rounds: 1),
        ],
        Rounds = rounds,
    };
}
