using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Published;
using Transfer.Wan.Reports.Sections;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Definitions;

/// <summary>Document 4: very many files from host to host, beside rsync.</summary>
internal sealed class HostToHostReport : IReportDefinition
{
    public string Name => "host-to-host";

    public string Title => "Many files, host to host";

    public string Introduction =>
        "Very many files from one host to another on a short link, where not round trips but the work for each file counts: beside "
        + "rsync over ssh and tar over ssh, with the client's processor time. "
        + "`transfer send` goes to a `transfer receive` that waits at the other end, as an sshd does for the others, and ends when "
        + "everything is confirmed, and on the receiver's disk; with `--durability none` it is confirmed before that, "
        + "as with rsync and tar, which flush nothing. `transfer` goes file by file over SFTP. "
        + "\"Cold page cache\" means that what the files' reader had cached was dropped before each turn.";

    public void Write(ReportPage page, ReportData data)
    {
        page.Heading("What was published");
        page.Published(PublishedFigures.HostToHost);
        foreach (var workload in Workload.Of(data.Results))
        {
            WorkloadSection.Write(page, workload, data.LeftOut, hasResources: true);
            page.Points(AgainstRsync(workload));
        }

        ResourceNotes.Write(page, data);
    }

    private static IEnumerable<string> AgainstRsync(Workload workload)
    {
        foreach (var rsync in workload.Results.Where(result => result.Client.StartsWith("rsync", StringComparison.Ordinal)))
        {
            foreach (var ours in workload.Results.Where(
                result => result.IsOurs && result.Seconds is not null && result.Server == rsync.Server))
            {
                if (rsync.ProcessorSeconds is { } theirs && ours.ProcessorSeconds is { } own)
                {
                    yield return $"Processor time of the client: {Sentences.Code(ours.Client)} {Format.Seconds(own.Median)}, "
                        + $"{Sentences.Code(rsync.Client)} {Format.Seconds(theirs.Median)}.";
                }

                if (rsync.Seconds is { } time && ours.Seconds is { } seconds)
                {
                    yield return $"{Sentences.Code(rsync.Client)} takes {Format.Ratio(time.Median / seconds.Median)} as long as "
                        + $"{Sentences.Code(ours.Client)}; the target is 2x or more for 100,000 files.";
                }
            }
        }
    }
}
