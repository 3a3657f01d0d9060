using Transfer.Wan.Clients;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;
using Transfer.Wan.Servers;
using static Transfer.Wan.Reports.Targets.Judge;

namespace Transfer.Wan.Reports.Targets;

/// <summary>The targets of the command's own choices: sessions, batch mode, processor time.</summary>
internal static class DefaultTargets
{
    private const string Section = "The default at its best";
    private const string Missing = "not measured in this run";
    private const int Many = 10_000;

    private static readonly string[] LogIns = [Usual[0], TransferPasswordClient.Name];

    public static IEnumerable<Target> All =>
    [
        .. LogIns.Select(Chosen),
        ByPassword("up"),
        ByPassword("down"),
        Thousand(ServerNames.Proftpd, 8.5),
        Thousand(ServerNames.Vsftpd, 13),
        OfRsync("up, SFTP, by default", ServerNames.OpenSsh, "up", Usual[0], 2.8),
        OfRsync("up, SFTP, by tar", ServerNames.OpenSsh, "up", "transfer --batch on", 2.2),
        OfRsync("up, SFTP, `transfer` installed there", ServerNames.OpenSshWithTransfer, "up", "transfer --batch on", 3.3),
        OfRsync("down, SFTP, by default", ServerNames.OpenSsh, "down", Usual[0], 2.8),
        new(Section, "10,000 files of 10 KB up, FTP, loopback", "faster than `lftp`", TimesFaster(
            result => result.Client == Usual[0] && IsLoopbackFtp(result), result => IsLftp(result) && IsLoopbackFtp(result), 1,
            static _ => Missing)),
        new(Section, "the same, processor time", "no more than `lftp`'s", ProcessorTime(
            result => result.Client == Usual[0] && IsLoopbackFtp(result), result => IsLftp(result) && IsLoopbackFtp(result), Missing)),
        new(Section, "1 GiB down, FTPS, one stream, loopback: processor time", "no more than `curl`'s", ProcessorTime(
            result => result.IsOurs && IsLargeFtps(result), result => result.Client == "curl" && IsLargeFtps(result), Missing)),
    ];

    private static Target Thousand(string server, double limit)
    {
        var selection = Selection.Of10KB("FTP", server, "up", 1_000);
        return new(Section, selection.Work, Format.Text($"{limit} s"), Seconds(selection, limit));
    }

    private static Target Chosen(string client)
    {
        var selection = Selection.Of10KB("SFTP", ServerNames.OpenSsh, "up", 200);
        return new(Section, $"{selection.Work}, {(client == Usual[0] ? "key" : "password")}: sessions by default",
            "1.1x the time of the best number at most",
            TimesAsLong(selection, client, [.. Scenarios.Catalog.Sessions.FixedNumbersOf(client)], 1.1));
    }

    private static Target ByPassword(string direction)
    {
        var selection = Selection.OfLarge("SFTP", direction) with { Server = ServerNames.OpenSsh };
        return new(Section, selection.Work + ", password", "1.1x the time with a key at most",
            TimesAsLong(selection, TransferPasswordClient.Name, [Usual[0]], 1.1));
    }

    private static Target OfRsync(string work, string server, string direction, string client, double least) => new(Section,
        $"10,000 files of 10 KB {work}, 100 ms, 1 Gbit/s", Format.Text($"{least}x as fast as `rsync`, or more"), TimesFaster(
            result => result.Client == client && IsGigabit(result, server, direction),
            result => result.Client == "rsync over ssh" && IsGigabit(result, server, direction), least, static _ => Missing));

    private static bool IsGigabit(Result result, string server, string direction) =>
        result.Server == server && result.Direction == direction && result.Files == Many
        && result.Link?.Asked is { RoundTrip: 100, Rate: 1000, Loss: 0 };

    private static bool IsLoopbackFtp(Result result) => result is { Protocol: "FTP", Direction: "up", Files: Many, Link: null };

    private static bool IsLargeFtps(Result result) =>
        result is { Protocol: "FTPS", Direction: "down", Files: 1, Link: null, Bytes: 1L << 30 };

    private static bool IsLftp(Result result) => result.Client.StartsWith("lftp", StringComparison.Ordinal);
}
