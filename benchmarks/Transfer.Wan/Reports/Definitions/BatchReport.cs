using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Published;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Batch mode: ten thousand small files as a stream, direct, over SSH, and through an FTPS server.</summary>
internal sealed class BatchReport : IReportDefinition
{
    private const string Spool = "transfer send --to ";

    public string Name => "batch";

    public string Title => "Batch mode";

    public string Introduction =>
        "Ten thousand files of 10 KB that cannot be compressed, from folder to folder. Everything is encrypted on the way, by all. "
        + "Client, server and link share this machine's processors: where neither the wire nor the round trip is what takes the time, "
        + "they are.";

    public void Write(ReportPage page, ReportData data)
    {
        page.Heading("What each time includes");
        page.Table(new MarkdownTable("client", "what it does", "its time")
            .Add("`transfer send`", "goes to a `transfer receive` that waits at the other end, as an sshd does for the others",
                "the command's: it ends when the receiver has confirmed the last archive, which is then on the disk")
            .Add("`transfer receive`",
                "files come down: it is started here, and `transfer send` at the other end as soon as it has the address",
                "the command's; the start of `send` is in it")
            .Add("`transfer --batch on`",
                "goes over SSH: uploads by `transfer receive` where the server is OpenSSH + transfer, which has our command installed; "
                + "else by the host's own tar", "the command's")
            .Add("`transfer`", "goes file by file over SFTP or FTPS", "the command's")
            .Add("`transfer send --to 1 there`",
                "uploads to a folder of the FTPS server; a `transfer fetch --watch` on the server's own machine reads that folder on "
                + "its disk, looks every two seconds, and unpacks",
                "from the start of `send` until the recipient has confirmed everything and deleted the job; `fetch` runs before")
            .Add("`transfer send --to 1 here`", "the same with the recipient on this side, who downloads over the same link",
                "the same; the start of `fetch` is in it, and the client's figures are of both")
            .Add("`transfer send --to 5 there`",
                "one upload for five recipients on the server's machine, each with a key and a folder of its own",
                "until the last of the five has confirmed; the other end's memory is that of all five"));
        page.Published(PublishedFigures.ArchiveBatching);
        foreach (var workload in Workload.Of(data.Results).OrderBy(workload => workload.Direction == "up" ? 0 : 1).ThenBy(
            workload => workload.Protocol == "SFTP" ? 0 : 1))
        {
            WorkloadSection.Write(page, workload, data.LeftOut, hasResources: true);
            page.Points(Uploads(workload));
        }

        ResourceNotes.Write(page, data);
    }

    /// <summary>Whatever the number of recipients, content goes up once.</summary>
    private static IEnumerable<string> Uploads(Workload workload) =>
        from result in workload.Results
        where result.Client.StartsWith(Spool, StringComparison.Ordinal) && result.Client.EndsWith(" there", StringComparison.Ordinal)
            && result.Sent is not null
        let recipients = result.Client.Split(' ')[3]
        select Format.Text(
            $"{Sentences.Code(result.Client)}: {Format.Megabytes(result.Sent!.Value.Median)} went up for ")
            + Format.Text($"{(recipients == "1" ? "one recipient" : recipients + " recipients")}, ")
            + Format.Text($"{Format.Ratio(result.Sent.Value.Median / workload.Bytes)} the content.");
}
