using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Throughput by round-trip time, for each client and protocol, in one direction.</summary>
internal sealed class LatencyCurves
{
    private readonly Dictionary<(string Name, double RoundTrip), Result> _results;

    private LatencyCurves(Dictionary<(string Name, double RoundTrip), Result> results)
    {
        _results = results;
        RoundTrips = [.. results.Keys.Select(key => key.RoundTrip).Distinct().Order()];
        Names = [.. results.GroupBy(pair => pair.Key.Name).OrderBy(group => !group.First().Value.IsOurs).Select(group => group.Key)];
    }

    public IReadOnlyList<double> RoundTrips { get; }

    /// <summary>Ours first.</summary>
    public IReadOnlyList<string> Names { get; }

    /// <summary>The results must be of one direction and over links. A client that speaks several protocols has a curve for each.</summary>
    public static LatencyCurves Of(IReadOnlyList<Result> results)
    {
        var protocols = results.GroupBy(result => result.Client).ToDictionary(group => group.Key,
            group => group.Select(result => result.Protocol).Distinct().Count());
        return new LatencyCurves(results
            .GroupBy(
                result => (protocols[result.Client] > 1 ? $"{result.Client} ({result.Protocol})" : result.Client, result.RoundTrip ?? 0))
            .ToDictionary(group => group.Key, group => group.Last()));
    }

    public Result? Find(string name, double roundTrip) => _results.GetValueOrDefault((name, roundTrip));

    public Result? BestOfOurs(double roundTrip) => Best(roundTrip, isOurs: true)?.Result;

    public (string Name, Result Result)? BestPeer(double roundTrip) => Best(roundTrip, isOurs: false);

    public IEnumerable<ChartSeries> Series() => Names.Select(name => new ChartSeries(
        name,
        RoundTrips.Any(trip => Find(name, trip) is { IsOurs: true }),
        [.. RoundTrips.Select(trip => (X: trip, Find(name, trip)?.MegabytesPerSecond)).Where(point =>
            point.MegabytesPerSecond is not null).Select(point => (point.X, point.MegabytesPerSecond!.Value.Median))]));

    /// <summary>The round trips at which that client of ours was measured beside a peer, and the fastest peer at each.</summary>
    public IReadOnlyList<(double RoundTrip, Result Ours, string Peer, Result Theirs)> Duels(string name) =>
    [
        .. from trip in RoundTrips
           let ours = Find(name, trip)
           let peer = BestPeer(trip)
           where ours is not null && peer is not null
           select (trip, ours, peer.Value.Name, peer.Value.Result),
    ];

    /// <summary>The medians say that ours is above; one that failed is not.</summary>
    public static bool IsAbove(Result ours, Result theirs) =>
        ours.Seconds is { } seconds && Rate(ours, seconds) > Rate(theirs, theirs.Seconds!.Value);

    /// <summary>Whether each of ours is above every peer at every round trip, and where not.</summary>
    public IEnumerable<string> Statements()
    {
        foreach (var name in Names.Where(name => RoundTrips.Any(trip => Find(name, trip) is { IsOurs: true })))
        {
            var duels = Duels(name);
            var lost = duels.Where(duel => !IsAbove(duel.Ours, duel.Theirs)).ToList();
            yield return (duels.Count, lost.Count) switch
            {
                (0, _) => $"{Sentences.Code(name)}: no peer was measured beside it.",
                (_, 0) =>
                    Format.Text(
                        $"{Sentences.Code(name)} is above every peer at every round trip measured ({duels.Count} of ")
                        + Format.Text($"{duels.Count}): {Margin(duels)}."),
                _ => Format.Text(
                    $"{Sentences.Code(name)} is above every peer at {duels.Count - lost.Count} of {duels.Count} round trips. **Not** at ")
                    + Format.Text($"{Sentences.List(lost.Select(Describe))}."),
            };
        }
    }

    private static string Margin(IReadOnlyList<(double RoundTrip, Result Ours, string Peer, Result Theirs)> duels)
    {
        var closest = duels.MinBy(duel => duel.Ours.MegabytesPerSecond!.Value.Median / duel.Theirs.MegabytesPerSecond!.Value.Median);
        return $"closest at {Describe(closest)}";
    }

    private static string Describe((double RoundTrip, Result Ours, string Peer, Result Theirs) duel) =>
        $"{Format.Milliseconds(duel.RoundTrip)} ({ResultCells.Throughput(duel.Ours)} against "
        + $"{ResultCells.Throughput(duel.Theirs)} MB/s by {Sentences.Code(duel.Peer)}"
        + (duel.Ours.Seconds is { } seconds && seconds.Overlaps(duel.Theirs.Seconds!.Value) ? ", ranges overlap)" : ")");

    private static double Rate(Result result, Summary seconds) => result.Bytes / seconds.Median;

    private (string Name, Result Result)? Best(double roundTrip, bool isOurs)
    {
        var best = _results.Where(pair => pair.Key.RoundTrip == roundTrip && pair.Value.IsOurs == isOurs && pair.Value.Seconds is not null)
            .OrderByDescending(pair => pair.Value.MegabytesPerSecond!.Value.Median).Select(pair => (pair.Key.Name, pair.Value)).Take(1)
                .ToList();
        return best.Count == 0 ? null : best[0];
    }
}
