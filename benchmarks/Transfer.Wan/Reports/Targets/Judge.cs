using Transfer.Wan.Records;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Targets;

/// <summary>Ways to judge results. A median decides; one that failed is not met.</summary>
internal static class Judge
{
    /// <summary>The command by its own choice.</summary>
    public static IReadOnlyList<string> Usual { get; } = ["transfer"];

    /// <summary>At most that many seconds.</summary>
    public static Func<ReportData, Outcome> Seconds(Selection selection, double limit, IReadOnlyList<string>? clients = null) =>
        Own(selection, clients ?? Usual, ours => (ours.Seconds!.Value.Median <= limit, Time(ours)));

    /// <summary>At most that many seconds to the first output.</summary>
    public static Func<ReportData, Outcome> FirstOutput(Selection selection, double limit) =>
        Own(selection, Usual,
            ours => ours.First is { } first
                ? (first.Median <= limit, $"{Format.Seconds(first.Median)} ({Time(ours)} for all)") : (false, "nothing was printed"));

    /// <summary>At most that many round trips a file.</summary>
    public static Func<ReportData, Outcome> RoundTripsPerFile(Selection selection, double limit, IReadOnlyList<string> clients) =>
        Own(selection, clients,
            ours => ours.RoundTripsPerFile is { } trips
                ? (trips <= limit, $"{Format.Digits(trips)} round trips a file ({Time(ours)})") : (false,
                    "the link's round trip is not known"));

    /// <summary>The fastest of ours at least that many times as fast as each peer that fits, for each work that both did.</summary>
    public static Func<ReportData, Outcome> TimesFaster(Func<Result, bool> isOurs, Func<Result, bool> isPeer, double least,
        Func<ReportData, string> why) => data =>
    {
        var pairs = Pairs(data, isOurs, isPeer);
        if (pairs.Count == 0) return Outcome.Missing(why(data));
        if (pairs.Find(pair => pair.Ours.Seconds is null) is { Ours: { } failed }) return new Outcome(Verdict.NotMet, Failed(failed));
        var (own, nearest) = pairs.MinBy(pair => pair.Peer.Seconds!.Value.Median / pair.Ours.Seconds!.Value.Median);
        var ratio = nearest.Seconds!.Value.Median / own.Seconds!.Value.Median;
        return new Outcome(ratio >= least ? Verdict.Met : Verdict.NotMet, $"{Format.Ratio(ratio)} as fast ({Time(own)})", Peer(nearest));
    };

    /// <summary>No more processor time than each peer that fits, for each work that both did.</summary>
    public static Func<ReportData, Outcome> ProcessorTime(Func<Result, bool> isOurs, Func<Result, bool> isPeer, string why) => data =>
    {
        var pairs = Pairs(data, isOurs, isPeer).Where(pair => pair.Peer.ProcessorSeconds is not null).ToList();
        if (pairs.Count == 0) return Outcome.Missing(why);
        if (pairs.Find(pair => pair.Ours.ProcessorSeconds is null) is { Ours: { } failed })
            return new Outcome(Verdict.NotMet, Failed(failed));
        var (own, nearest) = pairs.MaxBy(pair => pair.Ours.ProcessorSeconds!.Value.Median / pair.Peer.ProcessorSeconds!.Value.Median);
        var (ours, theirs) = (own.ProcessorSeconds!.Value.Median, nearest.ProcessorSeconds!.Value.Median);
        return new Outcome(ours <= theirs ? Verdict.Met : Verdict.NotMet, $"{Format.Seconds(ours)} by {Sentences.Code(own.Client)}",
            $"{Sentences.Code(nearest.Client)} {Format.Seconds(theirs)}");
    };

    /// <summary>At most so much memory.</summary>
    public static Func<ReportData, Outcome> Memory(Selection selection, double limit) =>
        Own(selection, Usual,
            ours => ours.Peak is { } peak
                ? (peak <= limit, $"{Format.Megabytes(peak)} ({Time(ours)})") : (false, "the memory is not known"));

    /// <summary>At most so many times as long as the fastest of our other ways took for the same work in the same run.</summary>
    public static Func<ReportData, Outcome> TimesAsLong(Selection selection, string client, IReadOnlyList<string> others, double most) =>
        data =>
    {
        var results = selection.Of(data);
        var ours = results.LastOrDefault(result => result.Client == client && result.Run.Turns.Any(IsOther));
        var than = results.Where(result => others.Contains(result.Client) && result.Run == ours?.Run && result.Seconds is not null)
            .MinBy(result => result.Seconds!.Value.Median);
        if (ours is null || than is null) return Outcome.Missing(selection.WhyNot(data, [client, .. others]));
        if (ours.Seconds is null) return new Outcome(Verdict.NotMet, Failed(ours), Peer(than));
        var ratio = ours.Seconds.Value.Median / than.Seconds!.Value.Median;
        return new Outcome(ratio <= most ? Verdict.Met : Verdict.NotMet, $"{Format.Ratio(ratio)} ({Time(ours)})", Peer(than));

        bool IsOther(Measured turn) => others.Contains(turn.Client);
    };

    /// <summary>A result for people: <c>2.16 s (2.10 s to 2.22 s) by `transfer`</c>.</summary>
    public static string Time(Result result) =>
        $"{ResultCells.Median(result)}{(result.Seconds is { Count: > 1 } ? $" ({ResultCells.Range(result)})" : string.Empty)} by "
        + $"{Sentences.Code(result.Client)}";

    public static string Failed(Result result) => $"{Sentences.Code(result.Client)} failed in every round";

    public static string Peer(Result peer) => $"{Sentences.Code(peer.Client)} {ResultCells.Median(peer)}";

    private static Func<ReportData, Outcome> Own(Selection selection, IReadOnlyList<string> clients,
        Func<Result, (bool IsMet, string Figure)> judge) => data =>
    {
        var results = selection.Of(data);
        // The first of the names counts that was measured: `--sessions 16` before what the command chooses itself.
        // Of one that was measured in several runs the newest counts in which it moved all files.
        var ours = clients.Select(client =>
            results.Where(result => result.Client == client).OrderBy(result => !result.IsExtrapolated).LastOrDefault()).FirstOrDefault(
            result => result is not null);
        if (ours is null) return Outcome.Missing(selection.WhyNot(data, clients));
        var nearest = results.Where(result => result.Run == ours.Run && !result.IsOurs && result.Seconds is not null).MinBy(
            result => result.Seconds!.Value.Median);
        var peer = nearest is null ? ResultCells.None : Peer(nearest);
        if (ours.Seconds is null) return new Outcome(Verdict.NotMet, Failed(ours), peer);
        var (isMet, figure) = judge(ours);
        // What is extrapolated counts start and log-in more often than they were: it can show that a target is met, not that it is missed.
        var missed = ours.IsExtrapolated ? Verdict.NotMeasured : Verdict.NotMet;
        return new Outcome(isMet ? Verdict.Met : missed,
            isMet || !ours.IsExtrapolated ? figure : figure + ", from a part of the files: too few to tell", peer);
    };

    // Each peer's result with the fastest of ours.
    private static List<(Result Ours, Result Peer)> Pairs(ReportData data, Func<Result, bool> isOurs, Func<Result, bool> isPeer) =>
    [
        .. from peer in data.Results.Where(isPeer)
           let ours = data.Results.Where(result => isOurs(result) && SameWork(result, peer)).MinBy(
               result => result.Seconds?.Median ?? double.PositiveInfinity)
           where ours is not null && peer.Seconds is not null
           select (Ours: ours, Peer: peer),
    ];

    private static bool SameWork(Result a, Result b) =>
        a.Run == b.Run && a.Direction == b.Direction && a.Files == b.Files && a.Bytes == b.Bytes && a.LinkName == b.LinkName
        && a.IsCold == b.IsCold;
}
