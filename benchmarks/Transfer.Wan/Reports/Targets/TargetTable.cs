using Transfer.Wan.Reports.Data;
using static Transfer.Wan.Reports.Targets.Judge;

namespace Transfer.Wan.Reports.Targets;

/// <summary>The project's targets, row by row.</summary>
internal static class TargetTable
{
    private const string SmallFiles = "Small files at 100 ms";
    private const string LargeFile = "One large file of 80 MiB";
    private const string Documents = "The documents behind the project";

    private static readonly string[] Directions = ["up", "down"];
    private static readonly string[] Single = ["transfer --sessions 1"];
    private static readonly string[] Sixteen = ["transfer --sessions 16", "transfer"];
    private static readonly string[] BatchUp = ["transfer send"];
    private static readonly string[] BatchDown = ["transfer receive", "transfer --batch on"];
    private static readonly string[] OneSegment = ["transfer --sessions 1 --segments 1", "transfer --segments 1"];

    public static IReadOnlyList<Target> All { get; } = [.. Directions.SelectMany(SmallFileTargets), .. NamedFileTargets(),
        .. Directions.SelectMany(LargeFileTargets), .. TreeTargets.All, .. WalkTargets.All, .. DefaultTargets.All, .. DocumentTargets()];

    private static IEnumerable<Target> SmallFileTargets(string direction) =>
    [
        RoundTrips("vsftpd", direction, 3.4),
        RoundTrips("ProFTPD", direction, 2.4),
        RoundTrips("Pure-FTPd", direction, 2.4),
        Small("FTP", "vsftpd", direction, 200, 5.5, Sixteen),
        Small("FTP", "ProFTPD", direction, 200, 5.5, Sixteen),
        Small("FTP", "Pure-FTPd", direction, 200, 5.5, Sixteen),
        Small("FTPS", "ProFTPD", direction, 200, 6.5, Sixteen),
        Small("FTPS", "vsftpd", direction, 200, 7.5, Sixteen),
        Small("FTP", "ProFTPD", direction, 1_000, 16, Sixteen),
        Small("FTP", "Pure-FTPd", direction, 1_000, 15, Sixteen),
        Small("FTP", "vsftpd", direction, 1_000, 21, Sixteen),
        Small("SFTP", "OpenSSH", direction, 200, 2.2, Usual),
        Small("SFTP", "OpenSSH", direction, 10_000, 12.5, Usual),
        BatchOf10000(direction, 100, 100, 10.5),
        BatchOf10000(direction, 100, 1_000, 3.5),
        BatchOf10000(direction, 1, 0, 1.8),
    ];

    // Given by name, files are one job as in their folder.
    private static IEnumerable<Target> NamedFileTargets() =>
    [
        Named("FTP", "vsftpd", Sixteen[0]),
        Named("FTP", "ProFTPD", Sixteen[0]),
        Named("FTP", "Pure-FTPd", Sixteen[0]),
        Named("FTPS", "ProFTPD", Sixteen[0]),
        Named("FTPS", "vsftpd", Sixteen[0]),
        Named("SFTP", "OpenSSH", Usual[0]),
    ];

    private static IEnumerable<Target> LargeFileTargets(string direction) =>
    [
        OneFile("FTP", direction, 0, 3.1),
        OneFile("SFTP", direction, 0, 3.4),
        OneFile("FTP", direction, 0.002, direction == "down" ? 7 : 8),
        OneFile("SFTP", direction, 0.002, direction == "down" ? 7 : 8),
        new(LargeFile, $"one stream {direction} over loopback, SFTP, AES-GCM", "at least as fast as OpenSSH's `sftp`",
            DocumentJudge.OneStream(direction, onlyGcm: true)),
        new(LargeFile, $"one stream {direction} over loopback, FTP", "at least as fast as `curl`", TimesFaster(
            result => OneSegment.Contains(result.Client) && IsLoopbackFtp(result, direction),
            result => result.Client == "curl" && IsLoopbackFtp(result, direction),
            1, _ => "not measured in this run")),
    ];

    private static IEnumerable<Target> DocumentTargets() =>
    [
        new(Documents, "1, archive batching: 10,000 files up by archives against FTPS file by file, as a stock client does it",
            "10x as fast or more", Archive("FTPS", "FluentFTP", "lftp", "curl")),
        new(Documents, "1, archive batching: the same against SFTP", "10x as fast or more", Archive("SFTP", "SSH.NET", "scp", "sftp")),
        new(Documents, "2, throughput against latency, 0.5 to 300 ms, down", "above every peer at every round trip",
            DocumentJudge.AboveEveryPeer("down", 8)),
        new(Documents, "2, throughput against latency, 0.5 to 300 ms, up", "above every peer at every round trip",
            DocumentJudge.AboveEveryPeer("up", 8)),
        new(Documents, "3, SFTP throughput: one stream down, any cipher", "at least OpenSSH's own client",
            DocumentJudge.OneStream("down", onlyGcm: false)),
        new(Documents, "3, SFTP throughput: one stream up, any cipher", "at least OpenSSH's own client",
            DocumentJudge.OneStream("up", onlyGcm: false)),
        new(Documents, "3, SFTP throughput: more streams, down", "grows while processors last", DocumentJudge.Growing("down")),
        new(Documents, "3, SFTP throughput: more streams, up", "grows while processors last", DocumentJudge.Growing("up")),
        new(Documents, "4, host to host: 100,000 files against rsync over ssh", "2x as fast or more, a cold page cache reported too",
            DocumentJudge.HostToHost(100_000, 2)),
        new(Documents, "5, the .NET FTP fix: 500 KB up at 80 ms, every fault mended", "under 1 s a file on an open session",
            DocumentJudge.FixedUpload(byTransfer: false)),
        new(Documents, "5, the .NET FTP fix: the same by `transfer`", "under 1 s a file on an open session",
            DocumentJudge.FixedUpload(byTransfer: true)),
    ];

    private static Target RoundTrips(string server, string direction, double limit)
    {
        var selection = Selection.Of10KB("FTP", server, direction, 200);
        return new(SmallFiles, $"{selection.Work}, 1 session", Text.Format.Text($"{limit} round trips a file"),
            RoundTripsPerFile(selection, limit, Single));
    }

    private static Target Small(string protocol, string server, string direction, int files, double limit, IReadOnlyList<string> clients)
    {
        var selection = Selection.Of10KB(protocol, server, direction, files);
        return new(SmallFiles, selection.Work + (clients == Sixteen ? ", 16 sessions" : string.Empty), Text.Format.Text($"{limit} s"),
            Seconds(selection, limit, clients));
    }

    private static Target Named(string protocol, string server, string folder)
    {
        var selection = Selection.Of10KB(protocol, server, "up", 200);
        var named = folder.Replace("transfer", "transfer put FILE...", StringComparison.Ordinal);
        return new(SmallFiles, selection.Work.Replace("files", "named files", StringComparison.Ordinal),
            "1.15x the time of their folder at most", TimesAsLong(selection, named, [folder], 1.15));
    }

    private static Target BatchOf10000(string direction, double roundTrip, double rate, double limit)
    {
        var selection = Selection.Of10KB("SFTP", null, direction, 10_000) with { RoundTrip = roundTrip, Rate = rate };
        // Batch mode may have a protocol's name of its own: whatever moved these files so counts.
        return new(SmallFiles, selection.Work.Replace("SFTP", "batch mode", StringComparison.Ordinal), Text.Format.Text($"{limit} s"),
            Seconds(selection, limit, direction == "up" ? BatchUp : BatchDown));
    }

    private static Target OneFile(string protocol, string direction, double loss, double limit)
    {
        var selection = Selection.OfLarge(protocol, direction) with { Loss = loss };
        return new(LargeFile, selection.Work, Text.Format.Text($"{limit} s"), Seconds(selection, limit));
    }

    private static Func<ReportData, Outcome> Archive(string protocol, params IReadOnlyList<string> peers) => TimesFaster(
        result => DocumentJudge.IsBatch(result) && result.Protocol == protocol,
        result => result is { Direction: "up", Files: >= 10_000 } && result.Protocol == protocol && peers.Contains(result.Client),
        10, _ => "not measured in this run: `./build.sh wan batch`");

    private static bool IsLoopbackFtp(Result result, string direction) =>
        result.Protocol == "FTP" && result.Files == 1 && result.Link is null && result.Direction == direction;
}
