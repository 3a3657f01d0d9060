using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Published;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>The published ends of document 2's curves beside the ends of the same programs' curves here, and of ours.</summary>
internal static class PublishedLatency
{
    public static MarkdownTable Build(LatencyCurves curves)
    {
        var (near, far) = (curves.RoundTrips[0], curves.RoundTrips[^1]);
        var table = new MarkdownTable(
            "MB/s by", ">published, 0.5 ms", ">published, 300 ms", ">falls to", "here by", ">here, " + Format.Milliseconds(near),
            ">here, " + Format.Milliseconds(far), ">falls to");
        foreach (var (program, first, last) in PublishedFigures.Latency)
        {
            string[] published = [program, Format.Digits(first), Format.Digits(last), Format.Percent(Math.Round(last / first, 3))];
            var here = curves.Names.Where(name => Find(curves, name) is { IsOurs: false } result && ProgramOf(result) == program).ToList();
            if (here.Count == 0) table.Add([.. published, "not measured", "–", "–", "–"]);
            foreach (var name in here) table.Add([.. published, .. Here(curves, name, near, far)]);
        }

        foreach (var name in curves.Names.Where(name => Find(curves, name) is { IsOurs: true }))
            table.Add(["–", "–", "–", "–", .. Here(curves, name, near, far)]);
        return table;
    }

    /// <summary>The published name of what a client does.</summary>
    public static string? ProgramOf(Result result) => (result.Client.Split(' ')[0], result.Protocol) switch
    {
        ("scp", _) => "scp",
        ("rsync", _) => "rsync",
        ("axel" or "aria2c", _) => "HTTP, 20 connections",
        (_, "HTTP") => "HTTP",
        _ => null,
    };

    private static Result? Find(LatencyCurves curves, string name) =>
        curves.RoundTrips.Select(trip => curves.Find(name, trip)).FirstOrDefault(result => result is not null);

    private static string[] Here(LatencyCurves curves, string name, double near, double far)
    {
        var (first, last) = (curves.Find(name, near)?.MegabytesPerSecond, curves.Find(name, far)?.MegabytesPerSecond);
        return
        [
            Sentences.Code(name),
            first is { } a ? Format.Digits(a.Median) : "–",
            last is { } b ? Format.Digits(b.Median) : "–",
            first is { } from && last is { } to ? Format.Percent(Math.Round(to.Median / from.Median, 3)) : "–",
        ];
    }
}
