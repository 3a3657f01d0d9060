using System.Numerics;
using Transfer.Contents;
using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Replacing;

namespace Transfer.Engine.Operations;

/// <summary>The reading half of a copy between servers. The outcomes of files show in their pipes; the writing half reports them.</summary>
internal sealed class CopySource : IDispatcherOwner, IAsyncDisposable
{
    // The cost of a pipe and one segment for an empty file.
    private const int LeastRoom = 4096;

    private readonly ClientEngine _engine;
    private readonly TemporaryNames _names = new();
    private readonly ByteBudget _room;
    private readonly BudgetShare _largest;
    private readonly SemaphoreSlim _places;
    private readonly int _capacity;
    private readonly TimeSpan _patience;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _abort;
    private readonly IDisposable _sessions;
    private long _movements;

    /// <param name="engine">The engine that has the reading sessions.</param>
    /// <param name="sessions">The most sessions to use.</param>
    /// <param name="context">The context of the copy.</param>
    /// <param name="abort">Fires when the copy is given up.</param>
    public CopySource(ClientEngine engine, int sessions, TransferJobContext context, CancellationToken abort)
    {
        _engine = engine;
        Asides = new AsideNames(_names);
        _patience = engine.IdleTimeout;
        _time = engine.Time;
        // Half of the budget is for small files that are fetched ahead.
        _room = engine.ReadAhead;
        var most = (int)Math.Min((long)PipeContent.Capacity * sessions, _room.Bytes / 2);
        _largest = _room.Take(most, PipeContent.LeastCapacity * sessions);
        _capacity = (int)(_largest.Bytes / sessions);
        _places = new SemaphoreSlim(sessions);
        _abort = CancellationTokenSource.CreateLinkedTokenSource(abort, engine.Closing);
        Dispatcher = new Dispatcher(engine, new JobLimits(sessions, 1) { Contents = JobContents.FeedsSessions }, this, context.Pause,
            _abort.Token);
        _sessions = context.AddSessions(() => [.. engine.Lanes.Read(Dispatcher).Select(lane => lane with { IsSource = true })]);
    }

    public Dispatcher Dispatcher { get; }

    /// <summary>Whether the targets are written under their own names.</summary>
    public bool IsInPlace { get; init; }

    /// <summary>Whether files can be read from any offset.</summary>
    public bool HasRanges => Dispatcher.HasRanges;

    /// <summary>Takes room for a whole small file, to be fetched ahead of the reader; null: no room just now.</summary>
    public BudgetShare? TryTakeRoom(long length) =>
        _room.TryTake((int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(LeastRoom, length + 1)));

    /// <summary>
    /// Waits for one of the places, one for each writing session, to read a file in order. The caller must hold no resource that another
    /// waits for.
    /// </summary>
    public async ValueTask<BudgetShare> TakePlaceAsync(CancellationToken ct)
    {
        await _places.WaitAsync(ct).ConfigureAwait(false);
        return new BudgetShare(_capacity);
    }

    public void ReturnPlace() => _places.Release();

    /// <inheritdoc cref="EngineContent.ReadBackAsync"/>
    public ValueTask<int> ReadBackAsync(string path, long offset, Memory<byte> buffer, CancellationToken ct) =>
        FileJobs.ReadRangeAsync(_engine, path, offset, buffer, ct);

    /// <summary>
    /// Queues a file. When no session takes the file in time, the reader, which holds a session itself, gets an error: two copies that wait
    /// for each other's sessions would wait for ever.
    /// </summary>
    public void Fetch(JobFile file, DownloadPipe pipe)
    {
        Dispatcher.Enqueue(file);
        _ = GuardAsync(file, pipe);
    }

    public string NextTemporaryName() => _names.Next();

    /// <summary>Names of files that stand in the way where sources move to another folder.</summary>
    public AsideNames Asides { get; }

    public void KeepFiles(string path, IReadOnlyList<string> kept)
    {
        // The paths in a download's error are no files of the job's own.
    }

    // The writing half counts the bytes that arrive; here they only show progress.
    public void OnBytesMoved(long bytes) => Interlocked.Increment(ref _movements);

    public void OnRequeued(JobFile file, TransferException? reason) => _engine.Meter.Retried();

    public void OnEnded(JobFile file, FileEnd end)
    {
        // FinishAsync, or AbandonAsync with the reason, has ended the pipe.
    }

    /// <summary>Ends the files still under way.</summary>
    public async ValueTask DisposeAsync()
    {
        await _abort.CancelAsync().ConfigureAwait(false);
        Dispatcher.Complete();
        await Dispatcher.Completion.ConfigureAwait(false);
        _sessions.Dispose();
        Dispatcher.Dispose();
        _largest.Dispose();
        _places.Dispose();
        _abort.Dispose();
    }

    private async Task GuardAsync(JobFile file, DownloadPipe pipe)
    {
        long before;
        bool isHeld;
        do
        {
            before = Interlocked.Read(ref _movements);
            isHeld = Dispatcher.Flow.IsWaiting;
            try
            {
                await pipe.Started.WaitAsync(_patience, _time, file.Spec.Canceled).ConfigureAwait(false);
                return;
            }
            catch (OperationCanceledException)
            {
                return; // the reader is gone
            }
            catch (TimeoutException)
            {
                // As long as other files move, or are only held back, the turn of this file will come. A file that was held starts the wait
                // anew.
            }
        }
        while (Interlocked.Read(ref _movements) != before || isHeld || Dispatcher.Flow.IsWaiting);
        var error = new TransferException(TransferError.Timeout, $"{file.RemotePath}: no session of the source was free in time.");
        await pipe.CompleteWritingAsync(error).ConfigureAwait(false);
    }
}
