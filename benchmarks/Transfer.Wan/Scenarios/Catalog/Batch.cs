using Transfer.Wan.Records;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>Batch mode beside what people use for very many small files today, by link.</summary>
internal static class Batch
{
    private const int Files = 10_000;

    // What clients move that take a round trip or more for each: their log-in is then a few percent of what is extrapolated.
    private const int Few = 100;

    // By the host's tar where nothing of ours is installed, else by our own command.
    private const string OverSsh = "transfer --batch on";

    public static WanReport Report { get; } = new()
    {
        Name = "batch",
        Full = [.. Up(rounds: 3), .. ToOwn(rounds: 3), .. Down(rounds: 2), Spool(rounds: 2)],
        Quick =
        [
            Row(WanLinks.Small, isUpload: true, ["transfer send", "rsync over ssh"], rounds: 1),
            Row(WanLinks.Lan, isUpload: false, ["transfer receive", "rsync over ssh"], rounds: 1),
            Spool(rounds: 1) with
                { Clients = ["transfer send --to 1 there", "transfer send --to 1 here", "transfer send --to 5 there", new("transfer", 200),
                    new("lftp", 20)] },
        ],
    };

    /// <summary>To a receiver of ours, to the host's tar, and file by file; where round trips count also as stock clients do it.</summary>
    private static IEnumerable<Scenario> Up(int rounds) => Links.Select(link =>
        Row(link, isUpload: true,
            ["transfer send", OverSsh, "transfer", "tar over ssh", "rsync over ssh", .. link == WanLinks.Small ? Stock : []], rounds));

    /// <summary>Over SSH where our own command is installed at the server.</summary>
    private static IEnumerable<Scenario> ToOwn(int rounds) => Links.Select(link =>
        Row(link, isUpload: true, [OverSsh, "rsync over ssh"], rounds) with { Server = ServerNames.OpenSshWithTransfer });

    /// <summary>From a sender of ours, from the host's tar, and file by file.</summary>
    private static IEnumerable<Scenario> Down(int rounds) => Links.Select(link =>
        Row(link, isUpload: false, ["transfer receive", OverSsh, "transfer", "tar over ssh", "rsync over ssh"], rounds));

    /// <summary>Through a folder of an FTPS server, beside what uploads to it file by file.</summary>
    private static Scenario Spool(int rounds) => SmallFiles.Row(Files, Protocol.FTPS, ServerNames.Vsftpd, isUpload: true) with
    {
        Clients =
        [
            "transfer send --to 1 there", "transfer send --to 1 here", "transfer send --to 5 there", new("transfer", 1_000, Rounds: 1),
            new("lftp parallel 8", 4 * Few, Rounds: 1),
            new("lftp", Few, Rounds: 1), new("curl", Few, Rounds: 1), new("FluentFTP", Few, Rounds: 1),
            new("FluentFTP 8", 4 * Few, Rounds: 1),
        ],
        Rounds = rounds,
    };

    // One file after the other, by one connection.
    private static IEnumerable<ClientTurn> Stock =>
        [new("scp", Few, Rounds: 1), new("sftp", Few, Rounds: 1), new("SSH.NET", Few, Rounds: 1)];

    // Where the wire is what counts, where the round trip is, and where neither is.
    private static IEnumerable<LinkShape> Links => [WanLinks.Small, WanLinks.Gigabit, WanLinks.Lan];

    private static Scenario Row(LinkShape link, bool isUpload, IReadOnlyList<ClientTurn> clients, int rounds) =>
        SmallFiles.Row(Files, Protocol.SFTP, ServerNames.OpenSsh, isUpload) with { Link = link, Clients = clients, Rounds = rounds };
}
