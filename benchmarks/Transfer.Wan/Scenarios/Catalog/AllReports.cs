namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>All reports.</summary>
internal static class AllReports
{
    public static IReadOnlyList<WanReport> All { get; } =
        [SmallFiles.Report, StartUp.Report, Trees.Report, Walks.Report, Batch.Report, Latency.Report, SftpThroughput.Report,
        HostToHost.Report, DotnetFtpFix.Report, Sessions.Report, Cmdlets.Report, Targets.Report];

    public static WanReport? Find(string name) => All.FirstOrDefault(report => report.Name == name);
}
