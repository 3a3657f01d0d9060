using Transfer.Handles;

namespace Transfer;

/// <summary>The job's side of a <see cref="TransferJob"/>: the caller's requests to the job, and the job's reports. Thread-safe.</summary>
public sealed class TransferJobContext
{
    private readonly IProgress<TransferProgress>? _progress;
    private readonly TransferJobContext? _whole;
    private readonly Lock _gate = new();
    private readonly List<Func<IReadOnlyList<TransferLane>>> _sessions = [];
    private TransferProgress _last;

    internal TransferJobContext(
        IProgress<TransferProgress>? progress = null, IProgress<ItemResult>? items = null, CancellationToken cancellationToken = default,
        CancellationToken stopping = default)
    {
        (_progress, Items, CancellationToken, Stopping) = (progress, items, cancellationToken, stopping);
        Id = Guid.NewGuid().ToString("N")[..8];
        Pause = new JobPause();
        Progress = new Reporter(this);
    }

    private TransferJobContext(
        TransferJobContext whole, IProgress<TransferProgress>? progress, IProgress<ItemResult>? items, CancellationToken cancellationToken,
        CancellationToken stopping)
    {
        (_whole, _progress, Items, CancellationToken, Stopping) = (whole, progress, items, cancellationToken, stopping);
        (Id, Pause) = (whole.Id, whole.Pause);
        Progress = new Reporter(this);
    }

    /// <summary>See <see cref="TransferJob.Id"/>.</summary>
    public string Id { get; }

    /// <summary>Fires when the job is cancelled.</summary>
    public CancellationToken CancellationToken { get; }

    /// <summary>Fires when nothing more is to begin; see <see cref="TransferJob.StopAsync"/>. If anything is left to do then, the job ends
    /// as cancelled, with this token.</summary>
    public CancellationToken Stopping { get; }

    /// <summary>Receives each snapshot of the progress. Throws the exception of the application's handler, which is to end the
    /// job.</summary>
    public IProgress<TransferProgress> Progress { get; }

    /// <summary>Receives each ended item, from any thread; null: no items are wanted.</summary>
    public IProgress<ItemResult>? Items { get; }

    /// <summary>Whether the job is paused: no file may begin and no content may move before <see cref="WhenResumedAsync"/> has
    /// ended.</summary>
    public bool IsPaused => Pause.IsPaused;

    internal JobPause Pause { get; }

    internal bool HasRoomForItems => Line is not { } line || line.HasRoom;

    // A part's items may go through a companion before they come to the job's reader.
    private ItemLine? Line => Items switch
    {
        null => null,
        ItemLine line => line,
        _ => _whole?.Line,
    };

    internal TransferProgress LastProgress
    {
        get { lock (_gate) return _last; }
    }

    /// <summary>Waits while the job is paused.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public async Task WhenResumedAsync(CancellationToken cancellationToken)
    {
        while (IsPaused) await Pause.WhenResumed.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Waits while too many items are unread (<see cref="TransferJob.MostUnread"/>). A job calls this before planning more, and
    /// holds no session meanwhile.</summary>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public ValueTask WhenItemsAreReadAsync(CancellationToken cancellationToken) =>
        Line is { } line ? line.WhenRoomAsync(cancellationToken) : default;

    /// <summary>Adds sessions that move content for the job; see <see cref="TransferJob.Sessions"/>.</summary>
    /// <param name="sessions">Returns the work of each session at this moment.</param>
    /// <returns>Removes the sessions when disposed of.</returns>
    public IDisposable AddSessions(Func<IReadOnlyList<TransferLane>> sessions)
    {
        ArgumentNullException.ThrowIfNull(sessions);
        if (_whole is not null) return _whole.AddSessions(sessions);
        lock (_gate) _sessions.Add(sessions);
        return new Removal(this, sessions);
    }

    /// <summary>Has another job do the work: that job is paused, stopped and cancelled with this one, and its items and sessions are this
    /// one's.</summary>
    /// <param name="start">
    /// Starts the other job, from two arguments: whether items are to be kept (<c>readItems</c>), and the token that cancels the job. The
    /// progress is for the caller to pass on.
    /// </param>
    public async Task<JobResult> RunAsync(Func<bool, CancellationToken, TransferJob> start)
    {
        ArgumentNullException.ThrowIfNull(start);
        // A small job would end before a pause.
        await WhenItMayBeginAsync().ConfigureAwait(false);
        var job = start(Items is not null, CancellationToken);
        await using var jobEnd = job.ConfigureAwait(false);
        using var sessions = AddSessions(() => job.Sessions);
        var hold = (bool isPaused) =>
        {
            if (isPaused) job.Pause();
            else job.Resume();
        };
        Pause.Watch(hold);
        try
        {
            using var stopping = Stopping.UnsafeRegister(static job => _ = ((TransferJob)job!).StopAsync(), job);
            if (Items is { } items)
            {
                await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
                {
                    items.Report(item);
                    await (_whole ?? this).WhenItemsAreReadAsync(CancellationToken).ConfigureAwait(false);
                }
            }
            return await job.Completion.ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (!CancellationToken.IsCancellationRequested && Stopping.IsCancellationRequested)
        {
            throw new OperationCanceledException(e.Message, e, Stopping);
        }
        finally
        {
            Pause.Unwatch(hold);
        }
    }

    private async Task WhenItMayBeginAsync()
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(CancellationToken, Stopping);
        try
        {
            await WhenResumedAsync(ending.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            CancellationToken.ThrowIfCancellationRequested();
        }
        Stopping.ThrowIfCancellationRequested();
    }

    /// <summary>The context of a part of the job, with the same pause.</summary>
    /// <param name="progress">Receives the snapshots of the part's progress, instead of the job; null: not wanted.</param>
    /// <param name="items">Receives the part's items, instead of the job's reader; null: not wanted.</param>
    /// <param name="cancellationToken">Cancels the part.</param>
    /// <param name="stops">Whether a stop of the job stops the part too; false: the part is finished.</param>
    public TransferJobContext ForPart(IProgress<TransferProgress>? progress, IProgress<ItemResult>? items,
        CancellationToken cancellationToken, bool stops = true) =>
        new(this, progress, items, cancellationToken, stops ? Stopping : default);

    internal IReadOnlyList<TransferLane> ReadSessions()
    {
        Func<IReadOnlyList<TransferLane>>[] all;
        lock (_gate) all = [.. _sessions];
        return [.. all.SelectMany(static read => read())];
    }

    private void Report(TransferProgress progress)
    {
        lock (_gate) _last = progress;
        _progress?.Report(progress);
    }

    private void Remove(Func<IReadOnlyList<TransferLane>> sessions)
    {
        lock (_gate) _sessions.Remove(sessions);
    }

    private sealed class Removal(TransferJobContext context, Func<IReadOnlyList<TransferLane>> sessions) : IDisposable
    {
        public void Dispose() => context.Remove(sessions);
    }

    private sealed class Reporter(TransferJobContext context) : IProgress<TransferProgress>
    {
        public void Report(TransferProgress value) => context.Report(value);
    }
}
