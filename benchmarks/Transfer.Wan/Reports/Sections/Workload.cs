using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Sections;

/// <summary>Results that are rivals: the same files over the same link by the same protocol in the same direction.</summary>
internal sealed record Workload(string Protocol, string Direction, int Files, long Bytes, string LinkName, bool IsCold,
    IReadOnlyList<Result> Results)
{
    private static readonly string[] Usual = ["transfer send", "transfer receive", "transfer send --to 1 there", "transfer"];

    public string Title => $"{Work}, {Protocol}, {LinkText}{(IsCold ? ", cold page cache" : string.Empty)}";

    /// <summary>The files and their way: <c>200 files of 10 KB up</c>.</summary>
    public string Work => $"{Format.Files(Files)} of {Format.Size(Files > 0 ? (double)Bytes / Files : 0)} {Direction}";

    private string LinkText
    {
        get
        {
            if (Results[0].Link?.Asked is not { } link) return LinkName;
            var rate = link.Rate > 0 ? ", " + Format.Rate(link.Rate) : string.Empty;
            var loss = link.Loss > 0 ? $", {Format.Percent(link.Loss)} loss" : string.Empty;
            return Format.Milliseconds(link.RoundTrip) + rate + loss;
        }
    }

    public static IReadOnlyList<Workload> Of(IEnumerable<Result> results) =>
    [
        .. results
            .GroupBy(result => (result.Protocol, result.Direction, result.Files, result.Bytes, result.LinkName, result.IsCold))
            .Select(group =>
                new Workload(group.Key.Protocol, group.Key.Direction, group.Key.Files, group.Key.Bytes, group.Key.LinkName,
                    group.Key.IsCold, [.. group])),
    ];

    /// <summary>The results of each server together, the fastest first.</summary>
    public IEnumerable<Result> Sorted() => Results.GroupBy(result => result.Server).SelectMany(
        server => server.OrderBy(result => result.Seconds?.Median ?? double.PositiveInfinity));

    /// <summary>
    /// What a result at that server is compared with: ours in batch mode, or else as it chooses itself; the fastest of ours where it was
    /// not measured so.
    /// </summary>
    public Result? OursAt(string server)
    {
        var ours = Results.Where(result => result.IsOurs && result.Seconds is not null && result.Server == server).ToList();
        return Usual.Select(client => ours.Find(result => result.Client == client)).FirstOrDefault(result => result is not null)
            ?? ours.MinBy(result => result.Seconds!.Value.Median);
    }
}
