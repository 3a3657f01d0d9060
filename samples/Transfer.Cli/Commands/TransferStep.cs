using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>A part of put, get or copy: a file, files that go together, or a folder with all that is in it.</summary>
/// <param name="Name">How messages call it.</param>
/// <param name="Clients">What it needs connected.</param>
/// <param name="IsDirectory">How many files it has is not known beforehand, and it uses all sessions by itself.</param>
/// <param name="RunAsync">Moves it and adds what was done to the report. Throws when nothing was.</param>
internal sealed record TransferStep(
    string Name, IReadOnlyList<TransferClient> Clients, bool IsDirectory, Func<JobReport, StepRun, Task> RunAsync)
{
    /// <summary>How many files it has, where that is known beforehand.</summary>
    public int Files { get; init; } = 1;

    public static TransferStep File(
        string name, IReadOnlyList<TransferClient> clients, Func<StepRun, TransferJob> start) =>
        new(name, clients, IsDirectory: false, async (report, run) =>
            report.Report(await run.FollowFileAsync(start(run)) with { Path = name }));

    /// <summary>A job of a folder; interrupted, it is counted as far as it came.</summary>
    public static TransferStep Job(
        string name, IReadOnlyList<TransferClient> clients, string prefix, Func<StepRun, TransferJob> start,
        Action<JobReport, JobResult>? ended = null) =>
        new(name, clients, IsDirectory: true, async (report, run) =>
        {
            var items = report.ForFolder(prefix, name);
            JobResult? result = null;
            try
            {
                result = await run.FollowAsync(start(run), items.Report);
                ended?.Invoke(items, result);
            }
            finally
            {
                report.Add(items, result);
            }
        });

    /// <summary>A file that can't be moved at all.</summary>
    public static TransferStep Failed(string name, IReadOnlyList<TransferClient> clients, TransferException error) =>
        new(name, clients, IsDirectory: false, (_, _) => Task.FromException(error));

    /// <summary>What stands before the names of a local folder's items.</summary>
    public static string Prefix(string folder) => Path.EndsInDirectorySeparator(folder) ? folder : folder + "/";
}
