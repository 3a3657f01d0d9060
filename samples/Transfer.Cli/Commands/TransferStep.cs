using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>One source of put, get or copy: a file, or a folder with all that is in it.</summary>
/// <param name="Name">How messages call it.</param>
/// <param name="Clients">What it needs connected.</param>
/// <param name="IsDirectory">It uses all sessions by itself.</param>
/// <param name="RunAsync">Moves it and adds what was done to the report. Throws when nothing was.</param>
internal sealed record TransferStep(
    string Name, IReadOnlyList<TransferClient> Clients, bool IsDirectory, Func<JobReport, IProgress<TransferProgress>, CancellationToken, Task> RunAsync)
{
    public static TransferStep File(
        string name, IReadOnlyList<TransferClient> clients, Func<IProgress<TransferProgress>, CancellationToken, Task<TransferResult>> run) =>
        new(name, clients, IsDirectory: false, async (report, progress, ct) => report.Add(await run(progress, ct)));

    public static TransferStep Directory<T>(
        string name, IReadOnlyList<TransferClient> clients, T options, string prefix,
        Func<T, IProgress<TransferProgress>, CancellationToken, Task<JobResult>> run)
        where T : FolderOptions =>
        new(name, clients, IsDirectory: true, (report, progress, ct) => RunDirectoryAsync(report, prefix, options, o => run(o, progress, ct)));

    /// <summary>Runs a folder job; interrupted, it is counted as far as it came.</summary>
    private static async Task RunDirectoryAsync<T>(JobReport report, string prefix, T options, Func<T, Task<JobResult>> run)
        where T : FolderOptions
    {
        var items = new JobReport { Plan = report.Plan?.Below(prefix) };
        JobResult? result = null;
        try
        {
            result = await run((T)((FolderOptions)options with { Items = items }));
        }
        finally
        {
            report.Add(items, result, prefix);
        }
    }
}
