using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Published;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Document 5: the .NET FTP fix, each part of it alone and then all.</summary>
internal sealed class DotnetFtpFixReport : IReportDefinition
{
    private const string Stock = "stock .NET";
    private const int Fixes = 4;

    public string Name => "dotnet-ftp-fix";

    public string Title => "The .NET FTP fix, part by part";

    public string Introduction =>
        "Uploads at a round trip of 80 ms by a client that does what the framework's FTP client and applications built like it do, then "
        + "by the same client with each fault mended alone and with all mended, beside `transfer`.";

    public void Write(ReportPage page, ReportData data)
    {
        page.Heading("What the stock client does");
        page.Paragraph(
            "`stock .NET` is a program of ours, for the framework's class can't be switched fault by fault. Its commands are those of "
            + "`FtpWebRequest`, one at a time (`USER`, `PASS`, `OPTS utf8 on`, `PWD`, `TYPE I`, `PASV`, `STOR`, `QUIT`), "
            + "with a session for each file, as .NET has it since .NET Core. Its two further faults are those of the published client: "
            + "before each data connection it looks the server's address up backwards, "
            + "which is **played** (the client waits 2 s, as a resolver does that gets no answer; no resolver is asked), and its data "
            + "sockets have a send buffer of 8,192 bytes, the documented default of `TcpClient.SendBufferSize`.");
        page.Table(new MarkdownTable("switch", "what it mends")
            .Add("`--no-reverse-lookup`", "the data connection's address is not looked up backwards")
            .Add("`--send-buffer 1048576`",
                "a send buffer of 1 MiB instead of 8 KiB. Linux doubles either figure and then counts its own bookkeeping, caps it by "
                + "`net.core.wmem_max`, and no longer adapts it")
            .Add("`--overlap-commands`", "the log-in is one write, `PASV` and `STOR` are one write, and data does not wait for the 150")
            .Add("`--keep-session`", "one session for all files"));
        page.Published(PublishedFigures.DotnetFix);
        if (LibraryRows.Introduction(data.Results) is { } libraries)
        {
            page.Heading("What the libraries' rows are");
            page.Paragraph(libraries);
        }
        foreach (var workload in Workload.Of(data.Results)) WriteWorkload(page, workload);
    }

    /// <summary>Stock first, then its fixes alone, then together, then ours, then the others.</summary>
    internal static IReadOnlyList<Result> InOrder(Workload workload) =>
        [.. workload.Results.OrderBy(result => IsStock(result) ? 0 : result.IsOurs ? 1 : 2).ThenBy(FixesOf)];

    internal static int FixesOf(Result result) =>
        IsStock(result) ? result.Client.Split(' ').Count(word => word.StartsWith("--", StringComparison.Ordinal)) : 0;

    // For a chart: all fixes together are more words than a bar has room for.
    internal static string NameOf(Result result) => FixesOf(result) == Fixes ? $"{Stock}, all fixes" : result.Client;

    internal static bool IsStock(Result result) => result.Client.StartsWith(Stock, StringComparison.Ordinal);

    private static void WriteWorkload(ReportPage page, Workload workload)
    {
        var results = InOrder(workload);
        var stock = results.FirstOrDefault(result => result.Client == Stock);
        page.Heading($"{workload.Title}, {workload.Results[0].Server}");
        var stated = stock?.Seconds is { } before ? Statements(results, before, workload.Files) : [];
        page.Points([.. stated, .. LibraryRows.Statements(results, workload.Files)]);
        // Over SFTP there is no stock client: the library takes its place.
        var reference = stock ?? LibraryRows.Plain(results);
        var table = new MarkdownTable("client", ">all files", ">range", ">rounds", ">a file", ">saved a file", ">saved");
        foreach (var result in results)
        {
            var perFile = result.Seconds?.Through(seconds => seconds / workload.Files);
            var saved = reference?.Seconds?.Median - result.Seconds?.Median;
            table.Add(
                Sentences.Code(result.Client), ResultCells.Median(result), ResultCells.Range(result), ResultCells.Rounds(result),
                perFile is { } one ? Format.Seconds(one.Median) : ResultCells.None,
                saved is { } time && result != reference ? Format.Seconds(time / workload.Files) : ResultCells.None,
                saved is { } share && result != reference
                ? Format.Percent(Math.Round(share / reference!.Seconds!.Value.Median, 3)) : ResultCells.None);
        }

        var title = $"Seconds a file: {workload.Title}";
        page.Chart(
            WorkloadSection.ChartName(workload), title,
            BarChart.Draw(
                title, "Before and after each fix, less is better. Start and log-in are spread over the files.",
                [.. results.Select(
                    result =>
                    new Bar(NameOf(result), result.IsOurs, result.Seconds?.Through(seconds => seconds / workload.Files),
                        ResultCells.Note(result)))],
                Format.Seconds));
        page.Table(table);
        page.Paragraph("\"A file\" is the time of the whole command by the number of files: start and log-in are spread over them.");
    }

    private static IEnumerable<string> Statements(IReadOnlyList<Result> results, Summary before, int files)
    {
        yield return $"Before: {Format.Seconds(before.Median / files)} a file.";
        foreach (var result in results.Where(result => FixesOf(result) == 1 && result.Seconds is not null))
        {
            var after = result.Seconds!.Value;
            var change = after.Median <= before.Median
                ? $"saves {Format.Seconds((before.Median - after.Median) / files)} a file "
                + $"({Format.Percent(Math.Round(1 - (after.Median / before.Median), 3))})"
                : $"**costs** {Format.Seconds((after.Median - before.Median) / files)} a file";
            yield return $"{Sentences.Code(result.Client[Stock.Length..].Trim())} alone "
                + $"{change}{(after.Overlaps(before) ? "; the ranges overlap" : string.Empty)}.";
        }

        foreach (var result in results.Where(result => (FixesOf(result) > 1 || result.IsOurs) && result.Seconds is not null))
        {
            var perFile = result.Seconds!.Value.Median / files;
            yield return $"{Sentences.Code(result.Client)}: {Format.Seconds(perFile)} a file, "
                + $"{Format.Ratio(before.Median / result.Seconds.Value.Median)} as fast as before; under the published 1 s: "
                + $"{(perFile < 1 ? "yes" : "**no**")}.";
        }
    }
}
