using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch.Carriers.Link;

/// <summary>The jobs of a receiver: which may begin, which go on, and which are over. Thread-safe.</summary>
internal sealed class ReceivingJobs : IAsyncDisposable
{
    /// <summary>The most lanes of one job.</summary>
    public const int MaxLanes = 64;

    // Ended jobs that late lanes may still try to join: far more than end meanwhile.
    private const int MostEnded = 256;

    // How long a sender may request a lost last answer again.
    private static readonly TimeSpan Echo = TimeSpan.FromSeconds(5);

    private readonly Func<byte[], IJobSink> _open;
    private readonly bool _keep;
    private readonly TimeSpan _return;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly RecentJobs _ended = new(MostEnded); // successfully
    private readonly RecentJobs _refused = new(MostEnded); // ended here, before the sender was ready
    private readonly Dictionary<string, ReceivingJob> _jobs = new(StringComparer.Ordinal);
    private readonly Channel<ReceivingJob> _begun = Channel.CreateUnbounded<ReceivingJob>();
    private bool _hasBegun;
    private bool _spent; // the only job has ended
    private bool _disposed;

    /// <param name="open">Creates the receiving end of a job with a given number.</param>
    /// <param name="keep">Whether more than one job is accepted, also concurrently.</param>
    /// <param name="returnTime">How long a job waits for its sender to return.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Logs the jobs.</param>
    public ReceivingJobs(Func<byte[], IJobSink> open, bool keep, TimeSpan returnTime, TimeProvider time, ILogger logger)
    {
        _open = open;
        _keep = keep;
        _return = returnTime;
        _time = time;
        _logger = logger;
    }

    /// <summary>Whether a job is under way, or waits for its sender to return.</summary>
    public bool HasAny
    {
        get { lock (_gate) return _jobs.Count > 0; }
    }

    /// <summary>Whether a job was begun, so that one will end or has ended.</summary>
    public bool HasBegun
    {
        get { lock (_gate) return _hasBegun; }
    }

    /// <summary>Waits for the next job that a sender begins; each is returned once, and must be run
    /// (<see cref="ReceivingJob.RunAsync"/>).</summary>
    /// <returns>The job; null: there will be no more.</returns>
    public async ValueTask<ReceivingJob?> NextAsync(CancellationToken ct)
    {
        while (await _begun.Reader.WaitToReadAsync(ct).ConfigureAwait(false))
        {
            // A sender that did not wait for a handle has left nothing here.
            if (_begun.Reader.TryRead(out var job) && !job.IsEndedHere) return job;
        }
        return null;
    }

    /// <summary>Runs the next job that a sender begins, for a handle. If the sender begins another job instead, that one is run.</summary>
    /// <param name="handle">The handle.</param>
    /// <param name="measure">Measures each job.</param>
    /// <exception cref="InvalidOperationException">The only job has ended.</exception>
    /// <exception cref="TransferException">The job was lost, or the receiver was stopped (<see cref="TransferError.Lost"/>).</exception>
    public async Task<JobResult> RunNextAsync(TransferJobContext handle, Func<Func<Task<JobResult>>, Task<JobResult>> measure)
    {
        while (true)
        {
            var job = await NextForAsync(handle).ConfigureAwait(false);
            try
            {
                return await measure(() => job.RunAsync(handle)).ConfigureAwait(false);
            }
            catch (TransferException) when (job.IsReplaced)
            {
                // The sender's next job is in line.
            }
        }
    }

    /// <summary>Adds a lane to a job.</summary>
    /// <exception cref="TransferException">The lane is refused (<see cref="TransferError.Denied"/>).</exception>
    public ReceivingJob Join(byte[] id)
    {
        var key = Convert.ToHexStringLower(id);
        ReceivingJob? replaced = null;
        lock (_gate)
        {
            if (_disposed) throw new TransferException(TransferError.Denied, "The receiver ends.") { IsTransient = true };
            if (_jobs.TryGetValue(key, out var known))
            {
                if (known.IsEndedHere) throw ReceivingJob.Refusal();
                if (known.Lanes >= MaxLanes) throw new TransferException(TransferError.Denied, $"A job has {MaxLanes} lanes at most.");
                known.Join();
                return known;
            }
            if (_refused.Contains(key)) throw ReceivingJob.Refusal();
            if (!_keep)
            {
                if (_spent)
                    throw new TransferException(TransferError.Denied, "The receiver has received the one job that it was started for.");
                replaced = _jobs.Values.FirstOrDefault();
                if (replaced is { Lanes: > 0 })
                    throw new TransferException(TransferError.Denied, "The receiver takes one job, and another sender has begun it.");
                _jobs.Clear();
            }
            var job = new ReceivingJob(id, _open(id), _time) { IsEcho = _ended.Contains(key), OnEchoBegun = Announce };
            job.Join();
            _jobs.Add(key, job);
            _hasBegun |= !job.IsEcho;
            _ = RemoveWhenRefusedAsync(job);
            if (!job.IsEcho)
            {
                Log.JobBegun(_logger, key);
                Announce(job);
            }
            if (replaced is not null) _ = ReplaceAsync(replaced);
            return job;
        }
    }

    /// <summary>Removes a lane that has ended from a job.</summary>
    /// <param name="job">The job.</param>
    /// <param name="saidBye">Whether the sender confirmed that the job has ended.</param>
    public void RemoveLane(ReceivingJob job, bool saidBye)
    {
        if (job.IsFinished && !_keep)
        {
            lock (_gate) _spent = true;
            _begun.Writer.TryComplete();
        }
        if (saidBye) job.Close();
        if (job.RemoveLane() == 0) _ = job is { IsEcho: true, IsEmpty: true } ? ReplaceEchoAsync(job) : AwaitReturnAsync(job);
    }

    public async ValueTask DisposeAsync()
    {
        ReceivingJob[] jobs;
        lock (_gate)
        {
            _disposed = true;
            jobs = [.. _jobs.Values];
            _jobs.Clear();
        }
        foreach (var job in jobs) await job.DisposeAsync().ConfigureAwait(false);
        _begun.Writer.TryComplete();
    }

    private void Announce(ReceivingJob job) => _begun.Writer.TryWrite(job);

    private async Task<ReceivingJob> NextForAsync(TransferJobContext handle)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(handle.CancellationToken, handle.Stopping);
        try
        {
            if (await NextAsync(ending.Token).ConfigureAwait(false) is { } job) return job;
        }
        catch (OperationCanceledException)
        {
            handle.CancellationToken.ThrowIfCancellationRequested();
            handle.Stopping.ThrowIfCancellationRequested();
            throw;
        }
        lock (_gate)
        {
            if (_spent && !_disposed)
                throw new InvalidOperationException("The receiver takes one job, without BatchReceiverOptions.Keep, and has received it.");
        }
        throw new TransferConnectionException(TransferError.Lost, "The receiver was stopped.");
    }

    // Late lanes of a job that this side has ended must not begin the job anew.
    private async Task RemoveWhenRefusedAsync(ReceivingJob job)
    {
        await ((Task)job.Completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        lock (_gate)
        {
            if (job.IsEndedHere && !job.IsFinished) RemoveLocked(job);
        }
    }

    private void RemoveLocked(ReceivingJob job)
    {
        var key = Convert.ToHexStringLower(job.Id);
        if (!_jobs.TryGetValue(key, out var known) || !ReferenceEquals(known, job)) return;
        _jobs.Remove(key);
        if (job.IsFinished) _ended.Add(key);
        else if (job.IsEndedHere) _refused.Add(key);
    }

    private Task ReplaceAsync(ReceivingJob job)
    {
        job.IsReplaced = true;
        return GiveUpAsync(job, "Its sender has begun another job instead.");
    }

    // A lane that was on its way when another lane ended the job: there is nothing to wait for, and nothing to report.
    private async Task ReplaceEchoAsync(ReceivingJob job)
    {
        lock (_gate)
        {
            if (job.Lanes > 0 || !_jobs.Remove(Convert.ToHexStringLower(job.Id))) return;
        }
        job.IsReplaced = true;
        await job.DisposeAsync().ConfigureAwait(false);
    }

    // Without a lane: the sender may return, or has everything.
    private async Task AwaitReturnAsync(ReceivingJob job)
    {
        var joined = job.Joined;
        if (!job.Completion.IsCompleted && !job.IsEndedHere) await Task.Delay(job.IsFinished ? Echo : _return, _time).ConfigureAwait(false);
        lock (_gate)
        {
            if (job.Joined != joined) return;
            RemoveLocked(job);
        }
        await GiveUpAsync(job, "The sender's connections were lost, and the sender did not return.").ConfigureAwait(false);
    }

    private async Task GiveUpAsync(ReceivingJob job, string reason)
    {
        if (!job.Completion.IsCompleted && !job.IsFinished && !job.IsEndedHere)
            Log.JobAbandoned(_logger, Convert.ToHexStringLower(job.Id), reason);
        await job.AbandonAsync(new TransferConnectionException(TransferError.Lost, reason)).ConfigureAwait(false);
    }
}
