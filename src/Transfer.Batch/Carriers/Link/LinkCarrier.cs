using System.Runtime.ExceptionServices;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>Carries the archives of one job over as many lanes as pay, and goes on with those that are left when some are lost.</summary>
internal sealed class LinkCarrier
{
    private readonly ILinkDialer _dialer;
    private readonly LinkCarrierOptions _options;
    private readonly SendingJob _job;
    private readonly Lock _gate = new();
    private readonly List<Task> _lanes = [];
    private int _wanted; // lanes begun so far
    private int _active; // lanes that carry, or try to
    private ExceptionDispatchInfo? _fault; // the exception that ends the job
    private volatile bool _reached; // a lane has reached the receiver
    private volatile bool _heard; // the receiver has sent a message
    private int _open;
    private int _peak;
    private TransferException? _error; // why the last lane was lost for good

    private LinkCarrier(ILinkDialer dialer, SendingJob job, LinkCarrierOptions options)
    {
        _dialer = dialer;
        _job = job;
        _options = options;
    }

    /// <summary>Carries all of a source's archives; returns when each is confirmed or has failed.</summary>
    /// <param name="source">The archives.</param>
    /// <param name="id">The job's number, 16 bytes.</param>
    /// <param name="dialer">Opens the lanes.</param>
    /// <param name="options">How to carry.</param>
    /// <param name="ct">Stops the job.</param>
    /// <exception cref="TransferException">The receiver can't be reached, or not any more; unconfirmed archives have failed.</exception>
    public static async Task<CarriedJob> CarryAsync(IArchiveSource source, byte[] id, ILinkDialer dialer, LinkCarrierOptions options,
        CancellationToken ct)
    {
        options.Retry.Validate();
        using var job = new SendingJob(id, source, options.Lanes ?? LaneModel.Most, options.Retry,
            options.Logger)
        { Finish = options.Finish };
        return await new LinkCarrier(dialer, job, options).RunAsync(ct).ConfigureAwait(false);
    }

    private async Task<CarriedJob> RunAsync(CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var fetching = Task.Run(() => FetchAsync(stop), CancellationToken.None);
        Begin(_options.Lanes ?? 1, stop);
        try
        {
            await WhenLanesEndAsync().ConfigureAwait(false);
            ct.ThrowIfCancellationRequested();
            _fault?.Throw();
            if (!_job.Ended.IsCompleted)
            {
                var error = _error ?? new TransferConnectionException();
                // All archives are settled also when nothing was to be sent and no receiver was reached, or when archives were given up for
                // lack of answers.
                if (!_job.IsSettled || !_reached || _job.GivenUp > 0) throw error;
                Log.EndNotHeard(_options.Logger, error.Message);
            }
            return new CarriedJob(_peak, _job.Retries);
        }
        catch (Exception e)
        {
            _job.Fail(e as TransferException ?? new TransferException(TransferError.Lost, "The job was broken off.", e));
            throw;
        }
        finally
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await fetching.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private async Task FetchAsync(CancellationTokenSource stop)
    {
        try
        {
            await _job.FetchAsync(stop.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await BreakOffAsync(e, stop).ConfigureAwait(false);
        }
    }

    // The first reason is reported. Cancellation is none: the caller knows.
    private async ValueTask BreakOffAsync(Exception reason, CancellationTokenSource stop)
    {
        if (stop.IsCancellationRequested) return;
        Interlocked.CompareExchange(ref _fault, ExceptionDispatchInfo.Capture(reason), null);
        await stop.CancelAsync().ConfigureAwait(false);
    }

    // Further lanes may start during the wait.
    private async Task WhenLanesEndAsync()
    {
        while (true)
        {
            Task[] lanes;
            lock (_gate)
            {
                _lanes.RemoveAll(lane => lane.IsCompleted);
                lanes = [.. _lanes];
            }
            if (lanes.Length == 0) return;
            await Task.WhenAll(lanes).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private void Begin(int wanted, CancellationTokenSource stop)
    {
        lock (_gate)
        {
            while (_wanted < wanted)
            {
                var number = ++_wanted;
                if (number == 1) _active++;
                _lanes.Add(Task.Run(() => RunLaneAsync(number, stop), CancellationToken.None));
            }
        }
    }

    private async Task RunLaneAsync(int number, CancellationTokenSource stop)
    {
        var ct = stop.Token;
        var active = number == 1;
        try
        {
            // The first lane begins at once, while the folder is walked. Further ones only when there is an archive for them.
            if (number > 1 && !await _job.HasFetchedAsync(number, ct).ConfigureAwait(false)) return;
            if (!active) Interlocked.Increment(ref _active);
            active = true;
            await RunLaneAsync(number, stop, ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            // The canceller knows the reason.
        }
        catch (Exception e)
        {
            await BreakOffAsync(e, stop).ConfigureAwait(false);
        }
        finally
        {
            // The last lane to end also ends the lanes that wait for an archive: none is left to make room for one.
            if (active && Interlocked.Decrement(ref _active) == 0) await stop.CancelAsync().ConfigureAwait(false);
        }
    }

    private async Task RunLaneAsync(int number, CancellationTokenSource stop, CancellationToken ct)
    {
        var failures = 0;
        while (!_job.Ended.IsCompleted)
        {
            var (error, progressed) = await TryLaneAsync(number, stop, ct).ConfigureAwait(false);
            if (error is null) return;
            failures = progressed ? 1 : failures + 1;
            // A peer that accepts connections but stays silent for the log-in time is no receiver.
            var isMute = error.Error == TransferError.Timeout && !_heard;
            if (!error.IsTransient || !_reached || isMute || failures >= _options.Retry.Attempts)
            {
                Retire(error);
                return;
            }
            Log.LaneRetried(_options.Logger, number, failures, error.Message);
            await Task.Delay(_options.Retry.DelayAfter(failures, Random.Shared.NextDouble()), _options.Time, ct).ConfigureAwait(false);
        }
    }

    private async ValueTask<(TransferException? Error, bool Progressed)> TryLaneAsync(int number, CancellationTokenSource stop,
        CancellationToken ct)
    {
        SendingLane? lane = null;
        var started = _options.Time.GetTimestamp();
        try
        {
            var opened = await _dialer.OpenAsync(roundTrip => Found(roundTrip, stop), ct).ConfigureAwait(false);
            await using var connection = opened.Connection.ConfigureAwait(false);
            _reached = true;
            var check = opened.Check;
            opened = opened with { Check = hello => Heard(check, hello) };
            Log.LaneOpened(_options.Logger, number, _options.Time.GetElapsedTime(started).TotalMilliseconds);
            using var carrying = lane = new SendingLane(opened, _job, Volatile.Read(ref _wanted), _options.Questions, _options.Flow,
                _options.Board, _options.Time, (waited, busy) => Paced(waited, busy, stop));
            lock (_gate) _peak = Math.Max(_peak, ++_open);
            try
            {
                await lane.RunAsync(ct).ConfigureAwait(false);
            }
            finally
            {
                lock (_gate) _open--;
            }
            return (null, true);
        }
        catch (TransferException e)
        {
            return (e, lane is { HasProgressed: true });
        }
    }

    private void Heard(Action<HelloMessage> check, HelloMessage hello)
    {
        check(hello);
        _heard = true;
    }

    private void Found(TimeSpan roundTrip, CancellationTokenSource stop)
    {
        if (_options.Lanes is null) Begin(LaneModel.Begin(roundTrip), stop);
    }

    private void Paced(TimeSpan waited, TimeSpan busy, CancellationTokenSource stop)
    {
        var lanes = Volatile.Read(ref _wanted);
        if (_options.Lanes is null && LaneModel.PaysOneMore(lanes, Environment.ProcessorCount, waited, busy)) Begin(lanes + 1, stop);
    }

    // A refusal by the receiver explains more than a failure to connect.
    private void Retire(TransferException error)
    {
        lock (_gate)
        {
            if (_error is null || _error.IsTransient) _error = error;
        }
        Log.LaneRetired(_options.Logger, error.Error, error.Message);
    }
}
