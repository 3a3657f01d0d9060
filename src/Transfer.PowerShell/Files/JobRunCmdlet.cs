using System.Diagnostics;
using System.Management.Automation;
using Transfer.Companions;
using Transfer.PowerShell.Entries;
using Transfer.PowerShell.Pump;

namespace Transfer.PowerShell.Files;

/// <summary>
/// Base of the cmdlets that work by jobs, which run beside the pipeline, with one progress record for all of them and an error for each
/// file that fails.
/// </summary>
public abstract class JobRunCmdlet : EntryCmdlet
{
    private const int MostPosted = 256;
    private const int MostRunning = 64;
    private const int MostHeld = 10_000;

    // The longest wait, after Ctrl-C, for files that are under way, and the standstill that ends the wait.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan Standstill = TimeSpan.FromMilliseconds(500);

    private readonly Lock _gate = new();
    private readonly List<(TransferJob Job, Task<TransferException?> Read, string? Path)> _jobs = [];
    private readonly List<Task> _running = [];
    private readonly SemaphoreSlim _posted = new(MostPosted);
    private JobProgress _progress = null!;
    private long _failedItems; // of which no job knows

    /// <summary>Writes an object for each item instead of the summary.</summary>
    [Parameter]
    public SwitchParameter PassThru { get; set; }

    /// <summary>The activity of the command, for the progress record.</summary>
    private protected abstract string Activity { get; }

    /// <inheritdoc/>
    protected override void BeginProcessing()
    {
        base.BeginProcessing();
        _progress = new JobProgress(WriteProgress, Activity, IsVerbose);
    }

    /// <inheritdoc/>
    protected sealed override void ProcessRecord()
    {
        try
        {
            Process();
        }
        catch
        {
            // Also where a cmdlet behind this one wants no more, which comes out of a write as an exception.
            _progress.End();
            throw;
        }
    }

    /// <summary>Takes a record of the pipeline.</summary>
    private protected virtual void Process()
    {
    }

    /// <inheritdoc/>
    protected override void EndProcessing()
    {
        try
        {
            var whole = new TransferSummary();
            Await(_ => Task.WhenAll(_jobs.Select(entry => entry.Read)));
            foreach (var (job, read, path) in _jobs)
                whole = path is null ? whole.Plus(Await(_ => job.Completion)) : Plus(whole, job, path, Await(_ => read));
            if (!PassThru && !IsWhatIf && _jobs.Count + _failedItems > 0)
                WriteObject(whole with { Failed = whole.Failed + _failedItems });
        }
        finally
        {
            _progress.End();
        }
    }

    /// <inheritdoc/>
    protected override void StopProcessing()
    {
        // Files under way may finish, for a moment; later ones are given up, and no partial file remains.
        // The call comes from another thread than the one that adds jobs.
        TransferJob[] jobs;
        lock (_gate) jobs = [.. _jobs.Select(entry => entry.Job)];
        foreach (var job in jobs) _ = job.StopAsync();
        if (jobs.Length == 0) base.StopProcessing();
        else _ = Task.Run(() => GiveUpAsync(jobs));
    }

    private async Task GiveUpAsync(TransferJob[] jobs)
    {
        long Moved() => LengthSum.Of(jobs.Select(job => LengthSum.Add(job.Progress.Bytes, job.Progress.Files)));
        var (begun, movedAt, moved) = (Stopwatch.GetTimestamp(), Stopwatch.GetTimestamp(), Moved());
        while (Stopwatch.GetElapsedTime(begun) < Grace && Stopwatch.GetElapsedTime(movedAt) < Standstill
            && !jobs.All(job => job.Completion.IsCompleted))
        {
            await Task.Delay(TimeSpan.FromMilliseconds(100)).ConfigureAwait(false);
            if (Moved() is var now && now == moved) continue;
            (movedAt, moved) = (Stopwatch.GetTimestamp(), now);
        }
        base.StopProcessing();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            JobEnds.Wait(_jobs.Select(entry => entry.Job));
            _jobs.Clear();
        }
        base.Dispose(disposing);
        if (disposing) _posted.Dispose();
    }

    /// <summary>Follows a job: reads the items, and waits for the job at the end of the pipeline.</summary>
    /// <param name="job">The job.</param>
    /// <param name="path">The item of the pipeline that the job is for; null: the job is the command's own.</param>
    private protected void Follow(TransferJob job, string? path = null)
    {
        var read = Task.Run(() => ReadAsync(job));
        lock (_gate) _jobs.Add((job, read, path));
        _running.Add(read);
        // A pipeline may give thousands of folders, each of which is a job.
        while (_running.Count >= MostRunning)
        {
            Await(_ => Task.WhenAny(_running));
            _running.RemoveAll(task => task.IsCompleted);
        }
    }

    /// <inheritdoc/>
    private protected sealed override void WriteItemError(ErrorRecord error)
    {
        _failedItems++;
        base.WriteItemError(error);
        if (PassThru) WriteObject(TransferItem.OfFailed(error));
    }

    /// <summary>Passes the progress of a job on.</summary>
    private protected IProgress<TransferProgress> Progress =>
        new Shown(() => Pump.Post(() => _progress.Show(_jobs.Select(entry => entry.Job))));

    /// <summary>Whether folders are planned only, and the plan is written item by item.</summary>
    private protected bool IsWhatIf =>
        MyInvocation.BoundParameters.TryGetValue("WhatIf", out var whatIf) ? ((SwitchParameter)whatIf).IsPresent
        : GetVariableValue("WhatIfPreference") is true;

    private bool IsVerbose => MyInvocation.BoundParameters.TryGetValue("Verbose", out var verbose) ? ((SwitchParameter)verbose).IsPresent
        : GetVariableValue("VerbosePreference") is ActionPreference.Continue or ActionPreference.Inquire;

    /// <summary>Whether all items share one connection: if its loss ends the job, that is one error, and not one for each item.</summary>
    private protected virtual bool HasOneConnection => false;

    // The job of one item of the pipeline: its failure is that item's, and the others go on.
    private TransferSummary Plus(TransferSummary whole, TransferJob job, string path, TransferException? last)
    {
        // The job of one file fails with the error of the file, which is written.
        var isWritten = last is not (null or TransferConnectionException) && job.Completion.Exception?.InnerException == last;
        if (isWritten) _failedItems++;
        return !isWritten && TryAwait(_ => job.Completion, path, out var result) ? whole.Plus(result) : whole.PlusPart(job.Progress);
    }

    private void WriteItem(ItemResult item, bool isToldByJob)
    {
        if (IsWhatIf && item.Error is null) ShouldProcess(item.Path, item.Action.ToString());
        if (item.Error is { } error && !isToldByJob) WriteError(Record(error, PassThru ? TransferItem.Of(item) : item.Path));
        if (PassThru) WriteObject(TransferItem.Of(item));
    }

    // Returns the error of the last item that failed.
    private async Task<TransferException?> ReadAsync(TransferJob job)
    {
        TransferException? last = null;
        var held = new List<ItemResult>();
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
        {
            last = item.Error ?? last;
            if (item.Error is null && !PassThru && !IsWhatIf) continue;
            if (HasOneConnection && held.Count < MostHeld && IsLoss(item.Error)) held.Add(item);
            else await PostAsync(item, isToldByJob: false).ConfigureAwait(false);
        }
        if (held.Count == 0) return last;
        await ((Task)job.Completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        var isToldByJob = IsLoss(job.Completion.Exception?.InnerException as TransferException);
        foreach (var item in held) await PostAsync(item, isToldByJob).ConfigureAwait(false);
        return last;
    }

    private async Task PostAsync(ItemResult item, bool isToldByJob)
    {
        // No more at once than the pipeline has taken: the job then waits for its reader.
        await _posted.WaitAsync(StopToken).ConfigureAwait(false);
        Pump.Post(() =>
        {
            _posted.Release();
            WriteItem(item, isToldByJob);
        });
    }

    private static bool IsLoss(TransferException? error) =>
        error is TransferConnectionException or { Error: TransferError.Lost or TransferError.Timeout };

    private sealed class Shown(Action show) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => show();
    }
}
