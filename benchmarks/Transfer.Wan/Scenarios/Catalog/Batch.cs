using Transfer.Wan.Records;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>Batch mode beside what people use for very many small files today, by link.</summary>
internal static class Batch
{
    private const int Files = 10_000;

    // Where nothing of ours is installed: by the host's tar.
    private const string OverSsh = "transfer --batch on";

    public static WanReport Report { get; } = new()
    {
        Name = "batch",
        Full = [.. Up(rounds: 3), .. Down(rounds: 2)],
        Quick = [.. Up(rounds: 1).Take(1)],
    };

    /// <summary>To a receiver of ours, to the host's tar, and file by file.</summary>
    public static IEnumerable<Scenario> Up(int rounds) => Links.Select(link =>
        Row(link, isUpload: true, ["transfer send", OverSsh, "transfer", "tar over ssh", "rsync over ssh"], rounds));

    /// <summary>From the host's tar, and file by file.</summary>
    public static IEnumerable<Scenario> Down(int rounds) => Links.Select(link =>
        Row(link, isUpload: false, [OverSsh, "transfer", "tar over ssh", "rsync over ssh"], rounds));

    // Where the wire is what counts, where the round trip is, and where neither is.
    private static IEnumerable<LinkShape> Links => [WanLinks.Small, WanLinks.Gigabit, WanLinks.Lan];

    private static Scenario Row(LinkShape link, bool isUpload, IReadOnlyList<ClientTurn> clients, int rounds) =>
        SmallFiles.Row(Files, Protocol.SFTP, ServerNames.OpenSsh, isUpload) with { Link = link, Clients = clients, Rounds = rounds };
}
