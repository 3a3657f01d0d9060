using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>The number of sessions that a job chooses by itself, beside fixed ones.</summary>
internal sealed class SessionsReport : IReportDefinition
{
    private const string Auto = "transfer";
    private const string Fixed = "transfer --sessions ";

    // As much longer than the best fixed number as it may take.
    private const double Margin = 1.15;

    public string Name => "sessions";

    public string Title => "How many sessions";

    public string Introduction =>
        "`transfer` without `--sessions` chooses how many sessions it opens: by the link at first, then by what more of them bring "
        + "(docs/jobs.md). Here it is measured beside fixed numbers, on links of different length, without and with lost packets. "
        + "It is to take no more than 15 % longer than whichever fixed number is the best on that link.";

    public void Write(ReportPage page, ReportData data)
    {
        foreach (var work in data.Results.GroupBy(result => result.Files > 1 ? "Small files, up" : "One large file, down")
            .OrderByDescending(group => group.Key))
        {
            page.Heading(work.Key);
            var links = work.GroupBy(result => result.Scenario).Select(group => group.ToList()).ToList();
            page.Points([Statement(links)]);
            page.Table(Table(links));
        }
    }

    private static string Statement(IReadOnlyList<List<Result>> links)
    {
        var ratios = links.Select(Ratio).Where(ratio => ratio is not null).ToList();
        var met = ratios.Count(ratio => ratio <= Margin);
        return Format.Text($"Auto is within 15 % of the best fixed number on {met} of {ratios.Count} links.");
    }

    private static MarkdownTable Table(IReadOnlyList<List<Result>> links)
    {
        string[] numbers = [
            .. links.SelectMany(link => link).Select(result => result.Client).Where(IsFixed).Distinct().OrderBy(client =>
                client.Length).ThenBy(client => client, StringComparer.Ordinal)];
        var table = new MarkdownTable(
            ["link", "work", ">auto", ">range", .. numbers.Select(client => ">" + client[Fixed.Length..]), ">auto against the best"]);
        foreach (var link in links)
        {
            var auto = link.Find(result => result.Client == Auto);
            table.Add(
            [
                link[0].LinkName, Format.Text($"{link[0].Files} x {Format.Digits(link[0].FileSize / 1024)} KiB"),
                auto is null ? ResultCells.None : ResultCells.Median(auto), auto is null ? ResultCells.None : ResultCells.Range(auto),
                .. numbers.Select(
                    client => link.Find(result => result.Client == client) is { } result ? ResultCells.Median(result) : ResultCells.None),
                Ratio(link) is { } ratio ? Format.Ratio(ratio) + (ratio > Margin ? " **no**" : string.Empty) : ResultCells.None,
            ]);
        }

        return table;
    }

    private static bool IsFixed(string client) => client.StartsWith(Fixed, StringComparison.Ordinal);

    private static double? Ratio(List<Result> link)
    {
        var best = link.Where(result => IsFixed(result.Client) && result.Seconds is not null).Select(result => result.Seconds!.Value.Median)
            .DefaultIfEmpty(double.NaN).Min();
        var auto = link.Find(result => result.Client == Auto)?.Seconds?.Median;
        return auto / best is { } ratio && !double.IsNaN(ratio) ? ratio : null;
    }
}
