using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch.Carriers.Link;

/// <summary>The jobs of a receiver: which may begin, which go on, and which are over. Thread-safe.</summary>
internal sealed class ReceivingJobs : IAsyncDisposable
{
    /// <summary>Most lanes of one job.</summary>
    public const int MaxLanes = 64;

    // Jobs that are over and whose lanes may still come in: long after those of others that many.
    private const int MostEnded = 256;

    // How long somebody may ask again whose last answer was lost.
    private static readonly TimeSpan Echo = TimeSpan.FromSeconds(5);

    private readonly Func<byte[], IJobSink> _open;
    private readonly bool _keep;
    private readonly TimeSpan _return;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _gate = new();
    private readonly HashSet<string> _ended = new(StringComparer.Ordinal); // well, and lately
    private readonly Queue<string> _endedOrder = [];
    private readonly Dictionary<string, ReceivingJob> _jobs = new(StringComparer.Ordinal);
    private readonly Channel<ReceivingJob> _over = Channel.CreateUnbounded<ReceivingJob>();
    private bool _hasBegun;
    private bool _spent; // the one job has come to its end
    private bool _disposed;

    /// <param name="open">Makes the receiving end of a job, whose number it is given.</param>
    /// <param name="keep">More than one job may come, and several at once.</param>
    /// <param name="returnTime">How long a job waits for its sender to come back.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Is told of jobs.</param>
    public ReceivingJobs(Func<byte[], IJobSink> open, bool keep, TimeSpan returnTime, TimeProvider time, ILogger logger)
    {
        _open = open;
        _keep = keep;
        _return = returnTime;
        _time = time;
        _logger = logger;
    }

    /// <summary>Jobs as they come to their end, well or not. One that another has taken the place of is not told of.</summary>
    public ChannelReader<ReceivingJob> Over => _over.Reader;

    /// <summary>A job is under way, or waits for its sender to come back.</summary>
    public bool HasAny
    {
        get { lock (_gate) return _jobs.Count > 0; }
    }

    /// <summary>A job was begun, so that one will come to its end; whether it is told of already or not.</summary>
    public bool HasBegun
    {
        get { lock (_gate) return _hasBegun; }
    }

    /// <summary>A lane of a job comes in.</summary>
    /// <exception cref="TransferException">It may not (<see cref="TransferError.Denied"/>).</exception>
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
                if (_spent) throw new TransferException(TransferError.Denied, "The receiver has received the one job that it was started for.");
                replaced = _jobs.Values.FirstOrDefault();
                if (replaced is { Lanes: > 0 }) throw new TransferException(TransferError.Denied, "The receiver takes one job, and another sender has begun it.");
                _jobs.Clear();
            }
            var job = new ReceivingJob(id, _open(id), _time) { IsEcho = _ended.Contains(key) };
            job.Join();
            _jobs.Add(key, job);
            _hasBegun |= !job.IsEcho;
            _ = TellAsync(job);
            if (!job.IsEcho) Log.JobBegun(_logger, key);
            if (replaced is not null) _ = ReplaceAsync(replaced);
            return job;
        }
    }

    /// <summary>A lane of a job has ended.</summary>
    /// <param name="job">The job.</param>
    /// <param name="saidBye">The sender said that it has heard the job's end.</param>
    public void Leave(ReceivingJob job, bool saidBye)
    {
        if (job.IsFinished) lock (_gate) _spent |= !_keep;
        if (saidBye) job.Close();
        if (job.Leave() == 0) _ = job is { IsEcho: true, IsEmpty: true } ? ReplaceEchoAsync(job) : AwaitReturnAsync(job);
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

    private async Task TellAsync(ReceivingJob job)
    {
        await ((Task)job.Over).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!job.IsReplaced) _over.Writer.TryWrite(job);
    }

    private Task ReplaceAsync(ReceivingJob job)
    {
        job.IsReplaced = true;
        return GiveUpAsync(job, "Its sender has begun another job instead.");
    }

    // A lane that was on its way when the others ended their job: there is nothing to wait for, and nobody to tell of it.
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

    // Nobody is there: the sender may come back, or has all that it wants.
    private async Task AwaitReturnAsync(ReceivingJob job)
    {
        var joined = job.Joined;
        if (!job.Over.IsCompleted) await Task.Delay(job.IsFinished ? Echo : _return, _time).ConfigureAwait(false);
        lock (_gate)
        {
            if (job.Joined != joined) return;
            if (_jobs.TryGetValue(Convert.ToHexStringLower(job.Id), out var known) && ReferenceEquals(known, job))
            {
                _jobs.Remove(Convert.ToHexStringLower(job.Id));
                if (job.IsFinished) RememberEnded(Convert.ToHexStringLower(job.Id));
            }
        }
        await GiveUpAsync(job, "The sender's connections were lost, and it did not come back.").ConfigureAwait(false);
    }

    private async Task GiveUpAsync(ReceivingJob job, string reason)
    {
        if (!job.Over.IsCompleted && !job.IsFinished) Log.JobAbandoned(_logger, Convert.ToHexStringLower(job.Id), reason);
        await job.AbandonAsync(new TransferConnectionException(TransferError.Lost, reason)).ConfigureAwait(false);
    }
}
