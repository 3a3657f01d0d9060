using Transfer.Cli.Connections;
using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>Runs the steps of put, get and copy: files side by side, folders one after the other, and none stops the rest.</summary>
internal sealed class TransferRunner(Invocation invocation, int parallel, bool sync = false, TimeSpan grace = default) : IDisposable
{
    private readonly SessionGauge _sessions = new();
    private readonly bool _isDry = invocation.Transfer.DryRun;

    private readonly JobReport _report = new()
    {
        Items = invocation.Transfer.DryRun ? new PlanOutput(invocation.Host, invocation.Json) : invocation.Items,
    };

    private readonly RunLimits _limits = new(invocation);
    private readonly ProgressSum _progress = new();
    private readonly RunningJobs _jobs = new();
    private readonly long _start = invocation.Host.TimeProvider.GetTimestamp();

    /// <summary>Taken for the report, where several run at once; null: this one runs alone.</summary>
    public SemaphoreSlim? Turn { get; init; }

    /// <summary>
    /// Plans the steps, runs them, and says how it went. Interrupted, no step begins any more; those under way have the grace before they
    /// are given up.
    /// </summary>
    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(string label, Func<CancellationToken, Task<IReadOnlyList<TransferStep>>> plan, CancellationToken ct)
    {
        OperationCanceledException? interrupted = null;
        _report.Items = _report.Items is { } items ? new ItemOutputs([items, _limits]) : _limits;
        ct = _limits.Begin(ct);
        await using (_isDry
            ? null : new LiveProgress(invocation.Host, invocation.Messages, label, _progress, invocation.Json ? null : _jobs.ReadLanes))
        {
            try
            {
                IReadOnlyList<TransferStep> steps;
                try
                {
                    steps = await plan(ct);
                }
                catch (Exception e) when (ExitCode.IsFailure(e))
                {
                    _report.Add(RemotePathOf(e) ?? label, e);
                    steps = [];
                }

                await RunAsync(steps, ct);
            }
            catch (OperationCanceledException e) when (ct.IsCancellationRequested)
            {
                interrupted = e;
            }
        }

        if (_limits.Reason is { } reason && interrupted is not null)
            invocation.Messages.Error($"{reason}: the rest is left for another run.");
        if (Turn is not null) await Turn.WaitAsync(CancellationToken.None);
        try
        {
            await ReportAsync(interrupted is not null);
        }
        finally
        {
            Turn?.Release();
        }

        if (interrupted is null) return _report.ExitCode;
        return _limits.Reason is null ? throw interrupted : ExitCode.SomeFailed;
    }

    public void Dispose()
    {
        _limits.Dispose();
        _sessions.Dispose();
    }

    private static string? RemotePathOf(Exception e) => (e as TransferException)?.RemotePath;

    private async Task RunAsync(IReadOnlyList<TransferStep> steps, CancellationToken ct)
    {
        var files = steps.Sum(s => s.Files);
        if (files > 1) _progress.Expected = steps.Any(s => s.IsDirectory) ? null : files;
        if (steps.Count > 1) steps = await WithConnectionAsync(steps, ct);

        using var stop = new CancellationTokenSource(Timeout.InfiniteTimeSpan, invocation.Host.TimeProvider);
        await using var interrupted = ct.UnsafeRegister(_ => End(stop), null);
        await Parallel.ForEachAsync(steps.Where(s => !s.IsDirectory), new ParallelOptions { MaxDegreeOfParallelism = parallel },
            async (step, _) => await RunStepAsync(step, ct, stop.Token));
        foreach (var step in steps.Where(s => s.IsDirectory)) await RunStepAsync(step, ct, stop.Token);
    }

    private void End(CancellationTokenSource stop)
    {
        if (grace == TimeSpan.Zero || invocation.Host.OutputIsClosed())
        {
            stop.Cancel();
            return;
        }

        invocation.Messages.Info($"Finishing what is under way, {Quantity.Time(grace)} at most. Ctrl-C again ends at once.");
        stop.CancelAfter(grace);
    }

    /// <summary>A server that lets nobody in is asked once, and not once a file: many lock the user out for that.</summary>
    private async Task<IReadOnlyList<TransferStep>> WithConnectionAsync(IReadOnlyList<TransferStep> steps, CancellationToken ct)
    {
        foreach (var client in steps.SelectMany(s => s.Clients).Distinct().ToList())
        {
            try
            {
                await client.ConnectAsync(ct);
            }
            catch (Exception e) when (ExitCode.IsFailure(e))
            {
                _report.Add(client.Endpoint.ToString(), e);
                steps = [.. steps.Where(s => !s.Clients.Contains(client))];
            }
        }

        return steps;
    }

    private async Task RunStepAsync(TransferStep step, CancellationToken ct, CancellationToken stop)
    {
        ct.ThrowIfCancellationRequested();
        using var progress = _progress.Begin();
        try
        {
            await step.RunAsync(_report, new StepRun(progress, _jobs, _isDry, ct, stop));
        }
        catch (Exception e) when (ExitCode.IsFailure(e))
        {
            _report.Add(step.Name, e);
        }
        finally
        {
            _report.UseSessions(_sessions.Sample());
        }
    }

    private void TellMapped()
    {
        foreach (var item in _report.Mapped) invocation.Messages.Info($"{item.Path} is {item.To} at the target.");
        if (_report.MappedCount > _report.Mapped.Count)
            invocation.Messages.Info($"{_report.MappedCount - _report.Mapped.Count} more items have other names at the target.");
    }

    private void TellKept()
    {
        foreach (var file in _report.Kept)
        {
            var content = file.IsOld ? "the content that it had before" : "the content that it was to have";
            invocation.Messages.Warning(
                $"{PrintableText.Of(file.Path)}: {content} is in {PrintableText.Of(file.KeptAs)}, which nothing deletes: give it its "
                + "name, or delete it.");
        }
    }

    private async Task ReportAsync(bool interrupted)
    {
        if (invocation.Host.OutputIsClosed()) return;
        var elapsed = invocation.Host.TimeProvider.GetElapsedTime(_start);
        if (!_isDry) TellMapped();
        TellKept();
        foreach (var failure in _report.Failures) invocation.Messages.Unlogged($"{failure.Path}: {failure.Error.Message}");
        if (_report.Failed > _report.Failures.Count)
            invocation.Messages.Error($"{_report.Failed - _report.Failures.Count} more items failed.");
        if (invocation.Json && (!_isDry || invocation.Stream is not null))
        {
            // Also after an interruption: what was done by then is known and may matter.
            var job = JobJson.From(_report, elapsed, sync, invocation.Messages.Warnings);
            if (invocation.Stream is { } stream) stream.Complete(job);
            else await JsonOutput.WriteAsync(invocation.Host.Output, job, CancellationToken.None);
            return;
        }

        var text = !_isDry
            ? $"{Quantity.Files(_report.Files)}, {Quantity.Bytes(_report.Bytes)} in {Quantity.Time(elapsed)} "
            + $"({Quantity.Rate(_report.Bytes, elapsed)})"
            : $"dry run: {Quantity.Files(_report.Files)}, {Quantity.Bytes(_report.Bytes)} to send";
        if (sync) text += $", {_report.Unchanged} unchanged";
        if (_report.Moved > 0) text += $", {_report.Moved} moved";
        if (_report.Deleted > 0) text += $", {_report.Deleted} deleted";
        if (_report.NotDeleted > 0) text += $", {_report.NotDeleted} not deleted";
        if (_report.Batch is "tar" or "transfer") text += $", in a batch by {_report.Batch}";
        if (_report.ReadBack > 0) text += $", {_report.ReadBack} read back to compare";
        if (_report.Skipped > 0) text += $", {_report.Skipped} skipped";
        if (_report.Failed > 0) text += $", {_report.Failed} failed";
        if (_report.Retries > 0) text += $", {_report.Retries} retries";
        if (_report.Files + _report.Skipped + _report.Unchanged + _report.Moved + _report.Deleted > 0
            || (_report.Failed != 1 && !interrupted))
        {
            invocation.Messages.Info(text);
        }
    }
}
