using System.Runtime.CompilerServices;
using Transfer.Handles;

namespace Transfer;

/// <summary>
/// A long operation that is under way, as returned by the <c>Start</c> methods of <see cref="TransferClient"/>. The handle works the
/// same whichever client, or class derived from one, has started the job. Thread-safe.
/// </summary>
/// <example>
/// <code>
/// await using var job = client.StartUploadDirectory("photos", "/photos", readItems: true);
/// await foreach (var item in job.ReadItemsAsync()) Console.WriteLine($"{item.Path}: {item.Error?.Message ?? "done"}");
/// var result = await job.Completion;
/// </code>
/// </example>
public sealed class TransferJob : IAsyncDisposable
{
    /// <summary>The number of unread items from which on a job plans no further; see <see cref="ReadItemsAsync"/>.</summary>
    public const int MostUnread = 4096;

    private readonly CancellationTokenSource _abort = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationToken _caller;
    private readonly CancellationTokenRegistration _onCaller;
    private readonly TransferJobContext _context;
    private readonly ItemLine? _items;
    private int _read;

    private TransferJob(Func<TransferJobContext, Task<JobResult>> run, bool readItems, IProgress<TransferProgress>? progress,
        CancellationToken caller)
    {
        _caller = caller;
        _onCaller = caller.UnsafeRegister(static abort => ((CancellationTokenSource)abort!).Cancel(), _abort);
        _items = readItems ? new ItemLine(MostUnread) : null;
        _context = new TransferJobContext(progress, _items, _abort.Token, _stop.Token);
        Completion = RunAsync(run);
    }

    /// <summary>The unique name of the job: eight hexadecimal digits at random. The log message at the job's end has the name
    /// too.</summary>
    public string Id => _context.Id;

    /// <summary>
    /// The end of the job. Fails with the error that made the job impossible as a whole; cancelled with the caller's token, or after
    /// <see cref="StopAsync"/> if anything was left to do. Items that failed are in the <see cref="JobResult"/> only.
    /// </summary>
    public Task<JobResult> Completion { get; }

    /// <summary>The progress of the job: a snapshot, made about ten times a second.</summary>
    public TransferProgress Progress => _context.LastProgress;

    /// <summary>The sessions that are moving content of the job now, and that content; idle sessions are left out.</summary>
    public IReadOnlyList<TransferLane> Sessions => _context.ReadSessions();

    /// <summary>Whether the job is paused.</summary>
    public bool IsPaused => _context.Pause.IsPaused;

    /// <summary>Begins a job of the caller's own: for clients that derive from <see cref="TransferClient"/>, and for applications'
    /// tests.</summary>
    /// <param name="run">Does the work, and begins before this method returns.</param>
    /// <param name="readItems">Whether items are kept for <see cref="ReadItemsAsync"/>, and must be read.</param>
    /// <param name="progress">Receives each snapshot.</param>
    /// <param name="cancellationToken">Cancels the job.</param>
    public static TransferJob Start(
        Func<TransferJobContext, Task<JobResult>> run, bool readItems = false, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(run);
        return new TransferJob(run, readItems, progress, cancellationToken);
    }

    /// <summary>
    /// The job's items in the order in which they end, from the first one on. The enumeration ends with the job; <see cref="Completion"/>
    /// reports how the job ended. A reader that leaves the loop early gets no more, and the job goes on without the reader.
    /// </summary>
    /// <remarks>
    /// No item is lost, and memory is bounded: while <see cref="MostUnread"/> items or more are unread the job plans no further, so that
    /// only the items already planned (a few thousand files, and the folders being read) are added. No sessions are held meanwhile. So a
    /// job that was started with <c>readItems</c> must be read, or disposed of.
    /// </remarks>
    /// <param name="cancellationToken">Ends the enumeration, not the job.</param>
    /// <exception cref="InvalidOperationException">The job was started without <c>readItems</c>, and keeps none; or the items are read
    /// already.</exception>
    public IAsyncEnumerable<ItemResult> ReadItemsAsync(CancellationToken cancellationToken = default)
    {
        if (_items is null) throw new InvalidOperationException("The job keeps no items: it was started without readItems.");
        if (Interlocked.Exchange(ref _read, 1) != 0) throw new InvalidOperationException("The items of a job can be read once.");
        return ReadAsync(_items, cancellationToken);
    }

    /// <summary>
    /// Pauses the job: no file begins and no content moves, but for up to a buffer a file. A file under way waits where it stands, with its
    /// session, and files of other jobs that share this session wait behind. No time-out of the client ends this wait. A server may limit
    /// how long a transfer stands still, and end the transfer: then the file is tried again, as after any loss. Listings go on.
    /// </summary>
    public void Pause() => _context.Pause.Pause();

    /// <summary>Ends the pause.</summary>
    public void Resume() => _context.Pause.Resume();

    /// <summary>
    /// Ends the job gently: nothing more begins. Files that are under way are finished, checked and published; the rest are left out, with
    /// those that wait to be tried again, and nothing is deleted at the target. If anything was left to do, <see cref="Completion"/> is
    /// cancelled, and <see cref="TransferOptions.Resume"/> goes on with the job; else the job ends as usual. A paused job stays paused.
    /// </summary>
    /// <returns>Ends when the job has; never fails.</returns>
    public async Task StopAsync()
    {
        // Not in the background: nothing may begin after this line.
        if (!Completion.IsCompleted) Cancel(_stop);
        await ((Task)Completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Cancels the job and waits until no unfinished work is left. The job's failure is not thrown here.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!Completion.IsCompleted) Cancel(_abort);
        await ((Task)Completion).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _abort.Dispose();
        _stop.Dispose();
    }

    // The result of the one file of a job.
    internal static async Task<TransferResult> FileOfAsync(TransferJob job)
    {
        await using var jobEnd = job.ConfigureAwait(false);
        var whole = await job.Completion.ConfigureAwait(false);
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None).ConfigureAwait(false))
        {
            if (item.Result is { } result) return result with { Elapsed = whole.Elapsed, Kept = whole.Kept };
        }
        throw new InvalidOperationException("The job of one file has ended well without an item.");
    }

    private async Task<JobResult> RunAsync(Func<TransferJobContext, Task<JobResult>> run)
    {
        try
        {
            return await run(_context).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (_caller.IsCancellationRequested && e.CancellationToken != _caller)
        {
            throw new OperationCanceledException(e.Message, e, _caller);
        }
        finally
        {
            _onCaller.Unregister();
            _items?.Complete();
        }
    }

    private static void Cancel(CancellationTokenSource source)
    {
        try
        {
            source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The job has ended in the meantime, and was disposed of by another caller.
        }
    }

    private static async IAsyncEnumerable<ItemResult> ReadAsync(ItemLine items,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        try
        {
            while (await items.ReadAsync(cancellationToken).ConfigureAwait(false) is { } item) yield return item;
        }
        finally
        {
            items.Close();
        }
    }
}
