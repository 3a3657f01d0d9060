using Transfer.Engine.Scheduling;
using Transfer.Engine.Trees;

namespace Transfer.Engine.Operations;

/// <summary>Jobs over one path at the server, and all below: deletion, permissions.</summary>
internal static class TreeJobs
{
    /// <summary>Deletes a path.</summary>
    public static Task<JobResult> DeleteAsync(ClientEngine engine, string path, bool recursive, TransferJobContext context) =>
        RunAsync("delete", engine, path, context,
            report => new RemoteDeletion(engine, report).DeleteAsync(path, recursive, context.CancellationToken));

    /// <summary>Changes permissions.</summary>
    public static Task<JobResult> ChangeModeAsync(ClientEngine engine, string path, ModeChange change, bool recursive,
        TransferJobContext context) =>
        RunAsync("chmod", engine, path, context,
            report => new RemoteModes(engine, change, report).RunAsync(path, recursive, context.CancellationToken));

    /// <summary>Returns the result of a job whose first failure is the caller's exception.</summary>
    /// <exception cref="TransferException">An entry failed.</exception>
    public static async ValueTask<JobResult> WholeAsync(TransferJob job)
    {
        var result = await job.Completion.ConfigureAwait(false);
        return result.Failures is [{ Error: { } error }, ..] ? throw error : result;
    }

    private static Task<JobResult> RunAsync(string operation, ClientEngine engine, string path, TransferJobContext context,
        Func<TreeReport, Task<bool>> run)
    {
        var report = new TreeReport(context, engine.Time);
        return report.ResultOfAsync(engine.MeasureAsync(operation, () => run(report), context.CancellationToken, path));
    }
}
