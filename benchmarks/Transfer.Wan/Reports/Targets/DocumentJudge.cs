using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Definitions;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Targets;

/// <summary>How the documents behind the project are judged where one figure does not do.</summary>
internal static class DocumentJudge
{
    private const string FixedStock = "stock .NET --no-reverse-lookup --send-buffer 1048576 --overlap-commands --keep-session";

    public static bool IsBatch(Result result) => result.Client.StartsWith("transfer send", StringComparison.Ordinal);

    /// <summary>Document 2: ours above every peer at every round trip, by the best of ours at each.</summary>
    public static Func<ReportData, Outcome> AboveEveryPeer(string direction, int roundTrips) => data =>
    {
        var curves = LatencyCurves.Of([.. Latest(data, "latency").Where(result => result.Direction == direction && IsLatency(result))]);
        var duels = (from trip in curves.RoundTrips
                     let peer = curves.BestPeer(trip)
                     where peer is not null
                     select (Trip: trip, Ours: curves.BestOfOurs(trip), Peer: peer.Value)).ToList();
        if (duels.Count == 0) return Outcome.Missing("not measured in this run: `./build.sh wan latency`");
        var lost = duels.Where(duel => duel.Ours is null || !LatencyCurves.IsAbove(duel.Ours, duel.Peer.Result)).ToList();
        var figure = Format.Text($"above at {duels.Count - lost.Count} of {duels.Count} round trips");
        if (lost.Count > 0)
        {
            figure += ", not at "
                + Sentences.List(lost.Select(duel => $"{Format.Milliseconds(duel.Trip)} ({Sentences.Code(duel.Peer.Name)})"));
        }

        if (duels.Count < roundTrips) figure += Format.Text($"; the target has {roundTrips}");
        // Fewer round trips than the target has show nothing of the rest.
        return new Outcome(lost.Count > 0 ? Verdict.NotMet : duels.Count < roundTrips ? Verdict.NotMeasured : Verdict.Met, figure);
    };

    /// <summary>Document 3: with one stream ours is not slower than OpenSSH's client with the same cipher, at any of them.</summary>
    public static Func<ReportData, Outcome> OneStream(string direction, bool onlyGcm) => data =>
    {
        var pairs = Curves(data, direction).OneStreamPairs()
            .Where(pair => pair.Theirs.Client.StartsWith("sftp", StringComparison.Ordinal) && (!onlyGcm || CipherLabel.IsGcm(pair.Cipher)))
                .ToList();
        if (pairs.Count == 0) return Outcome.Missing("not measured in this run: `./build.sh wan sftp-throughput`");
        var worst = pairs.MinBy(pair => pair.Theirs.Seconds!.Value.Median / pair.Ours.Seconds!.Value.Median);
        var ratio = worst.Theirs.Seconds!.Value.Median / worst.Ours.Seconds!.Value.Median;
        return new Outcome(ratio >= 1 ? Verdict.Met : Verdict.NotMet,
            $"{Format.Ratio(ratio)} as fast, {worst.Cipher} ({Judge.Time(worst.Ours)})", Judge.Peer(worst.Theirs));
    };

    /// <summary>Document 3: several streams carry more than one.</summary>
    public static Func<ReportData, Outcome> Growing(string direction) => data =>
    {
        var growths = Curves(data, direction).Growths().ToList();
        if (growths.Count == 0) return Outcome.Missing("not measured in this run: `./build.sh wan sftp-throughput`");
        var least = growths.MinBy(growth => Growth(growth.One, growth.Best));
        return new Outcome(
            Growth(least.One, least.Best) > 1 ? Verdict.Met : Verdict.NotMet,
            Format.Text($"{Format.Ratio(Growth(least.One, least.Best))} with {least.Best.Files} streams, {least.Name}"));
    };

    /// <summary>
    /// Document 4: the fastest of ours that many times as fast as rsync, where the files are in the page cache; what it is where they are
    /// not is told beside it.
    /// </summary>
    public static Func<ReportData, Outcome> HostToHost(int files, double least) => data =>
    {
        var (warm, cold) = (AgainstRsync(isCold: false), AgainstRsync(isCold: true));
        return cold.Verdict == Verdict.NotMeasured
            ? warm : warm with { Ours = $"{warm.Ours}; cold page cache: {cold.Ours}", Peer = $"{warm.Peer}; {cold.Peer}" };

        Outcome AgainstRsync(bool isCold) => Judge.TimesFaster(
            result => result.IsOurs && result.Files == files && result.IsCold == isCold,
            result => result.Client.StartsWith("rsync", StringComparison.Ordinal) && result.Files == files && result.IsCold == isCold,
            least, _ => "not measured in this run")(data);
    };

    /// <summary>Document 5: seconds a file, with all faults mended, or by our own command.</summary>
    public static Func<ReportData, Outcome> FixedUpload(bool byTransfer) => data =>
    {
        var results = Latest(data, "dotnet-ftp-fix").Where(
            result =>
            result.Protocol == "FTP" && result.Direction == "up" && result.RoundTrip is 80 && result.FileSize is >= 475_000 and <= 550_000)
            .ToList();
        var ours = byTransfer
            ? results.Find(result => result.Client == "transfer --sessions 1")
                ?? results.Find(result => result.Client == "transfer") : results.Find(result => result.Client == FixedStock);
        if (ours is null) return Outcome.Missing("not measured in this run: `./build.sh wan dotnet-ftp-fix`");
        if (ours.Seconds is not { } seconds) return new Outcome(Verdict.NotMet, Judge.Failed(ours));
        var before = results.Find(result => result.Client == "stock .NET" && result.Seconds is not null && result.Files == ours.Files);
        var perFile = seconds.Median / ours.Files;
        return new Outcome(
            perFile < 1 ? Verdict.Met : Verdict.NotMet,
            $"{Format.Seconds(perFile)} a file, start and log-in included, by {Sentences.Code(ours.Client)}",
            before is null ? "–" : $"`stock .NET` {Format.Seconds(before.Seconds!.Value.Median / before.Files)} a file");
    };

    private static bool IsLatency(Result result) => result is { Files: 1, Link.Asked: { Loss: > 0, Jitter: > 0 } };

    private static double Growth(Result one, Result best) => best.MegabytesPerSecond!.Value.Median / one.MegabytesPerSecond!.Value.Median;

    private static StreamCurves Curves(ReportData data, string direction) =>
        new([.. Latest(data, "sftp-throughput").Where(
            result => result.Direction == direction && result.Link is null && CipherLabel.CipherOf(result) is not null)]);

    // Where the report of its own was run too, its figures count and not the few that the targets' own run has.
    private static IEnumerable<Result> Latest(ReportData data, string report)
    {
        var own = data.Results.Where(result => result.Run.Started?.Report == report).ToList();
        return own.Count > 0 ? own : data.Results;
    }
}
