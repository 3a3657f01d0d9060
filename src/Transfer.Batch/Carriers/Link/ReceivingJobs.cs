using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch.Carriers.Link;

/// <summary>The jobs of a receiver: which may begin, which go on, and which are over. Thread-safe.</summary>
internal sealed class ReceivingJobs : IAsyncDisposable
{
    /// <summary>The most lanes of one job.</summary>
    public const int MaxLanes = 64;

    // Ended jobs that late lanes may still join: far more than end meanwhile.
    private const int MostEnded = 256;

    // How long a sender may request a lost last answer again.
    private static readonly TimeSpan Echo = TimeSpan.FromSeconds(5);

    private readonly Func<byte[], IJobSink> _open;
    private readonly bool _keep;
    private readonly TimeSpan _return;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly HashSet<string> _ended = new(StringComparer.Ordinal); // successfully, and lately
    private readonly Queue<string> _endedOrder = [];
    private readonly Dictionary<string, ReceivingJob> _jobs = new(StringComparer.Ordinal);
    private readonly Channel<ReceivingJob> _over = Channel.CreateUnbounded<ReceivingJob>();
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

    /// <summary>The jobs that have ended, successfully or not, without those replaced by another job.</summary>
    public ChannelReader<ReceivingJob> EndedJobs => _over.Reader;

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
                if (known.Lanes >= MaxLanes) throw new TransferException(TransferError.Denied, $"A job has {MaxLanes} lanes at most.");
                known.Join();
                return known;
            }
            if (!_keep)
            {
                if (_spent)
                    throw new TransferException(TransferError.Denied, "The receiver has received the one job that it was started for.");
                replaced = _jobs.Values.FirstOrDefault();
                if (replaced is { Lanes: > 0 })
                    throw new TransferException(TransferError.Denied, "The receiver takes one job, and another sender has begun it.");
                _jobs.Clear();
            }
            var job = new ReceivingJob(id, _open(id), _time) { IsEcho = _ended.Contains(key) };
            job.Join();
            _jobs.Add(key, job);
            _hasBegun |= !job.IsEcho;
            _ = PublishWhenEndedAsync(job);
            if (!job.IsEcho) Log.JobBegun(_logger, key);
            if (replaced is not null) _ = ReplaceAsync(replaced);
            return job;
        }
    }

    /// <summary>Removes a lane that has ended from a job.</summary>
    /// <param name="job">The job.</param>
    /// <param name="saidBye">Whether the sender confirmed that the job has ended.</param>
    public void RemoveLane(ReceivingJob job, bool saidBye)
    {
        if (job.IsFinished) lock (_gate) _spent |= !_keep;
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
        _over.Writer.TryComplete();
    }

    private async Task PublishWhenEndedAsync(ReceivingJob job)
    {
        await ((Task)job.Completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!job.IsReplaced) _over.Writer.TryWrite(job);
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

    // Called under the lock.
    private void RememberEnded(string key)
    {
        if (!_ended.Add(key)) return;
        _endedOrder.Enqueue(key);
        if (_endedOrder.Count > MostEnded) _ended.Remove(_endedOrder.Dequeue());
    }

    // Without a lane: the sender may return, or has everything.
    private async Task AwaitReturnAsync(ReceivingJob job)
    {
        var joined = job.Joined;
        if (!job.Completion.IsCompleted) await Task.Delay(job.IsFinished ? Echo : _return, _time).ConfigureAwait(false);
        lock (_gate)
        {
            if (job.Joined != joined) return;
            if (_jobs.TryGetValue(Convert.ToHexStringLower(job.Id), out var known) && ReferenceEquals(known, job))
            {
                _jobs.Remove(Convert.ToHexStringLower(job.Id));
                if (job.IsFinished) RememberEnded(Convert.ToHexStringLower(job.Id));
            }
        }
        await GiveUpAsync(job, "The sender's connections were lost, and the sender did not return.").ConfigureAwait(false);
    }

    private async Task GiveUpAsync(ReceivingJob job, string reason)
    {
        if (!job.Completion.IsCompleted && !job.IsFinished) Log.JobAbandoned(_logger, Convert.ToHexStringLower(job.Id), reason);
        await job.AbandonAsync(new TransferConnectionException(TransferError.Lost, reason)).ConfigureAwait(false);
    }
}
