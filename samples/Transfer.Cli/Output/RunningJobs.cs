namespace Transfer.Cli.Output;

/// <summary>The jobs whose sessions are shown. Thread-safe.</summary>
internal sealed class RunningJobs
{
    // The sessions of a copy's source have numbers of their own.
    private const int SourceNumbers = 1000;

    private readonly Lock _gate = new();
    private readonly List<TransferJob> _jobs = [];

    /// <summary>What sessions are moving, each once: files of several jobs may share one.</summary>
    public IReadOnlyList<TransferLane> ReadLanes()
    {
        TransferJob[] jobs;
        lock (_gate) jobs = [.. _jobs];
        return [.. jobs.SelectMany(job => job.Sessions).Select(
            lane => lane.IsSource ? lane with { Number = lane.Number + SourceNumbers } : lane).DistinctBy(lane => lane.Number)];
    }

    /// <summary>Shows a job's sessions until what is returned is disposed of.</summary>
    public IDisposable Show(TransferJob job)
    {
        lock (_gate) _jobs.Add(job);
        return new Shown(this, job);
    }

    private sealed class Shown(RunningJobs jobs, TransferJob job) : IDisposable
    {
        public void Dispose()
        {
            lock (jobs._gate) jobs._jobs.Remove(job);
        }
    }
}
