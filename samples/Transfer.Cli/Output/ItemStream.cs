using System.Text.Json;
using Transfer.Local;

namespace Transfer.Cli.Output;

/// <summary>Prints items on standard output as they end, one JSON object a line, and the summary last (<c>--json=items</c>).</summary>
internal sealed class ItemStream(CommandHost host) : IItemOutput
{
    private readonly Lock _gate = new();

    /// <summary>Whether the last line was printed.</summary>
    public bool IsComplete { get; private set; }

    public void Write(ItemEvent item)
    {
        if (item.IsUnchanged) return;
        Write(JsonSerializer.SerializeToUtf8Bytes(ItemJson.Of(item, LogTime.Now(host.TimeProvider)), EntryJsonContext.Default.ItemJson));
    }

    /// <summary>Prints the summary of a run that had a job.</summary>
    public void Complete(JobJson job)
    {
        Write(JsonSerializer.SerializeToUtf8Bytes(job with { Action = JobJson.Summary }, JsonOutput.Default.JobJson));
        IsComplete = true;
    }

    /// <summary>
    /// Prints the summary of a run that ended before a job: a refused command line, for example. Where standard output takes nothing (any
    /// more), which may be what ended the run, there is no summary.
    /// </summary>
    public void TryComplete(FailedRunJson run)
    {
        try
        {
            Write(JsonSerializer.SerializeToUtf8Bytes(run, JsonOutput.Default.FailedRunJson));
            IsComplete = true;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The exit code has to do.
        }
    }

    private void Write(byte[] line)
    {
        lock (_gate)
        {
            host.Output.Write(line);
            host.Output.Write("\n"u8);
        }
    }
}
