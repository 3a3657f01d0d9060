using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Diagnostics;
using Transfer.Local;

namespace Transfer.Watching;

/// <summary>
/// Follows a folder: one round of a synchronisation after the other, when the system reports a change, a waiting file may be complete, a
/// failed one is to be tried again, or the time for a look has come.
/// </summary>
internal sealed class FolderWatch(WatchedSource source, WatchOptions options, StartRound start, TransferJobContext context)
{
    private static readonly TimeSpan UsualInterval = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan WatchedInterval = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(5);

    // Changes come in swarms: one round serves those of a moment.
    private static readonly TimeSpan Swarm = TimeSpan.FromMilliseconds(200);

    private readonly ILogger _logger = (options.LoggerFactory ?? NullLoggerFactory.Instance).CreateLogger("Transfer.Watch");
    private readonly WatchTotals _totals =
        new(context.Items, options.Sync.DisposesSource ? options.Trigger : null);

    private TimeSpan _pause;
    private bool _isBlocked;

    /// <summary>Follows until the job is stopped.</summary>
    public async Task<JobResult> RunAsync()
    {
        var time = options.TimeProvider;
        var begun = time.GetTimestamp();
        using var changes = source.LocalFolder is { } folder ? new LocalChanges(folder, time, _logger) : null;
        var retries = new RetryPauses(FirstPause(changes), LongestPause, time, _totals);
        var gate = new SettledFiles(source, options, changes, retries, _totals);
        var isFirst = true;
        while (!context.Stopping.IsCancellationRequested)
        {
            context.CancellationToken.ThrowIfCancellationRequested();
            changes?.Begin();
            gate.Begin();
            retries.Begin();
            _totals.Begin();
            var round = time.GetTimestamp();
            var isDone = await RoundAsync(gate, retries, isFirst).ConfigureAwait(false);
            changes?.Forget(round - (long)(options.Settle.TotalSeconds * 2 * time.TimestampFrequency));
            (isFirst, _isBlocked) = (false, !isDone);
            _pause = isDone && !_totals.HasFailures ? TimeSpan.Zero
                : _pause == TimeSpan.Zero ? FirstPause(changes)
                : _pause * 2 < LongestPause ? _pause * 2 : LongestPause;
            if (!context.Stopping.IsCancellationRequested) await WaitAsync(gate, changes).ConfigureAwait(false);
        }

        context.CancellationToken.ThrowIfCancellationRequested();
        return _totals.Result(time.GetElapsedTime(begun));
    }

    private TimeSpan Interval(LocalChanges? changes) =>
        options.Interval ?? (changes is { IsWatching: true } ? WatchedInterval : UsualInterval);

    private TimeSpan FirstPause(LocalChanges? changes) => Interval(changes) < UsualInterval ? Interval(changes) : UsualInterval;

    private async Task<bool> RoundAsync(SettledFiles gate, RetryPauses retries, bool isFirst)
    {
        var part = context.ForPart(context.Progress, retries, context.CancellationToken);
        try
        {
            // Those of a round that was broken off: this one would take them for signs of new files.
            await DeleteTriggersAsync().ConfigureAwait(false);
            var how = options.Sync with { Gate = gate };
            var result = await part.RunAsync((read, token) => start(how, read, context.Progress, token)).ConfigureAwait(false);
            _totals.Add(result, path => context.Stopping.IsCancellationRequested || gate.IsWaiting(path));
            await DeleteTriggersAsync().ConfigureAwait(false);
            return true;
        }
        catch (TransferException e) when (!isFirst || IsPassing(e))
        {
            Log.RoundFailed(_logger, e.Message);
            _totals.AddBroken();
            return false;
        }
        catch (OperationCanceledException) when (context.Stopping.IsCancellationRequested
            && !context.CancellationToken.IsCancellationRequested)
        {
            // What was left to do is left to the next run.
            _totals.AddBroken();
            await DeleteTriggersAsync().ConfigureAwait(false);
            return false;
        }
    }

    // The network may not be there yet; a wrong password stays wrong.
    private static bool IsPassing(TransferException error) => error.Error is TransferError.Lost or TransferError.Timeout;

    private async Task DeleteTriggersAsync()
    {
        foreach (var (path, sight) in _totals.TakeTriggers())
        {
            try
            {
                await source.DeleteTriggerAsync(path, options.Trigger!, sight).ConfigureAwait(false);
            }
            catch (TransferConnectionException)
            {
                // Deleted before the next round.
                _totals.ReturnTrigger(path, sight);
            }
            catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
            {
                // The file itself is gone, so the trigger file stands for nothing.
                Log.TriggerLeft(_logger, path + options.Trigger, e.Message);
            }
        }
    }

    private async Task WaitAsync(SettledFiles gate, LocalChanges? changes)
    {
        var wait = Interval(changes);
        if (gate.Next is { } next && next < wait) wait = next;

        // Where nothing can be done at all, new files change nothing.
        if (_pause > TimeSpan.Zero && (_isBlocked || _pause < wait)) wait = _pause;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.CancellationToken, context.Stopping);
        var time = Task.Delay(wait, options.TimeProvider, end.Token);
        if (changes is null || _isBlocked)
        {
            await time.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return;
        }

        await Task.WhenAny(time, changes.WaitAsync(end.Token)).ConfigureAwait(false);
        if (!time.IsCompleted)
            await Task.Delay(Swarm, options.TimeProvider, end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await end.CancelAsync().ConfigureAwait(false);
    }
}
