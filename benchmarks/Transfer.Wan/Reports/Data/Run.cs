using Transfer.Wan.Records;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Data;

/// <summary>The records of one run: those from a <see cref="RunStarted"/> to the next.</summary>
internal sealed record Run(RunStarted? Started, IReadOnlyList<LinkChecked> Links, IReadOnlyList<Measured> Turns,
    IReadOnlyList<LeftOut> LeftOut)
{
    public static Run Empty { get; } = new(null, [], [], []);

    /// <summary>The runs in a report's lines. What programs said is without the machine's own folders.</summary>
    public static IReadOnlyList<Run> Split(IReadOnlyList<WanRecord> records)
    {
        var runs = new List<Run>();
        for (var from = 0; from < records.Count;)
        {
            var to = from + 1;
            while (to < records.Count && records[to] is not RunStarted) to++;
            var lines = records.Skip(from).Take(to - from).ToList();
            runs.Add(new Run(
                lines[0] as RunStarted,
                [.. lines.OfType<LinkChecked>()],
                [.. lines.OfType<Measured>().Select(
                    turn => turn.Error is { } error ? turn with { Error = MachinePaths.Shorten(error) } : turn)],
                [.. lines.OfType<LeftOut>().Select(left => left with { Why = MachinePaths.Shorten(left.Why) })]));
            from = to;
        }

        return runs;
    }

    /// <summary>The check of a link by its name; a link that was set up again counts as it was last.</summary>
    public LinkChecked? FindLink(string name) => Links.LastOrDefault(link => link.Link == name);
}
