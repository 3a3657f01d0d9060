using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Transfer.Engine.Scheduling;
using Transfer.Listings;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>
/// One directory's listing, read ahead of the application. Normally a bounded part is in memory. When the application is slow and another
/// caller (maybe the application itself, in its loop) waits for a session, the rest is read into memory and the session returned: a loop
/// that deletes the listed files works with a single session. Where listings follow one another on a session, one that comes before its
/// turn is collected to the end, since those behind would wait for the application too; without memory for that, the listing is given up.
/// </summary>
internal sealed class BufferedListing : IAsyncDisposable
{
    internal const int Ahead = 4096;

    private const int Before = 0;
    private const int InTurn = 1;
    private const int GivenUp = 2;

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    private readonly ClientEngine _engine;
    private readonly string _directory;
    private readonly Channel<RemoteEntry> _channel =
        Channel.CreateUnbounded<RemoteEntry>(new() { SingleReader = true, SingleWriter = true });
    private readonly SemaphoreSlim _room = new(Ahead);
    private readonly CancellationTokenSource _stop;
    private readonly CancellationToken _caller;
    private readonly ListingShare _share;
    private readonly Task _reading;
    private readonly ListOptions _options;
    private readonly bool _isCollected; // waits for nothing, and shares the session with others
    private ListingReport _report = new();
    private readonly AheadRoom? _ahead;
    private long _unread; // bytes of entries that the application has not taken
    private long _count;
    private int _turn;
    private volatile bool _isAwaited; // the application waits for the entries, or takes them

    /// <param name="engine">The engine of the client.</param>
    /// <param name="directory">The directory, absolute.</param>
    /// <param name="options">The options of the listing.</param>
    /// <param name="ahead">The memory for entries that come before the directory's turn; null: it is the turn.</param>
    /// <param name="ct">Cancels.</param>
    public BufferedListing(ClientEngine engine, string directory, ListOptions options, AheadRoom? ahead, CancellationToken ct)
    {
        _options = options;
        _ahead = ahead;
        _turn = ahead is null ? InTurn : Before;
        _isAwaited = ahead is null;
        _isCollected = ahead is not null && engine.Lists.IsInTurn;
        _engine = engine;
        _directory = directory;
        _caller = ct;
        _share = engine.Listings.Open(directory);
        _stop = CancellationTokenSource.CreateLinkedTokenSource(ct, engine.Closing);
        _reading = Task.Run(FillAsync, CancellationToken.None);
    }

    /// <summary>The gaps of the listing. Final when <see cref="ReadAsync"/> has ended.</summary>
    public ListingReport Report => _report;

    /// <summary>The directory.</summary>
    public string Directory => _directory;

    /// <summary>Whether all entries have arrived.</summary>
    public bool IsRead => _reading.IsCompleted;

    /// <summary>
    /// Notes that the application reads from now on. False: the listing was given up before, and is to be made again from the start.
    /// </summary>
    public async ValueTask<bool> TryTakeTurnAsync()
    {
        _isAwaited = true;
        if (_isCollected) await _reading.ConfigureAwait(false);
        return Interlocked.CompareExchange(ref _turn, InTurn, Before) != GivenUp;
    }

    public async IAsyncEnumerable<RemoteEntry> ReadAsync([EnumeratorCancellation] CancellationToken ct)
    {
        await foreach (var entry in _channel.Reader.ReadAllAsync(ct).ConfigureAwait(false))
        {
            _room.Release();
            Return(entry);
            yield return entry;
        }
    }

    /// <summary>Ends the reading, also before the listing's end.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
        _room.Dispose();
        _share.Dispose();
        _ahead?.Return(Interlocked.Exchange(ref _unread, 0));
    }

    private async Task FillAsync()
    {
        Exception? failure = null;
        try
        {
            await _engine.MeasureAsync("list", FillAgainAsync, _caller, _directory).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            failure = _engine.IsByDisposal(e, _caller) ? ClientEngine.Disposed() : e;
            // Before the turn no entry was read: a lost session costs a second listing.
            if (e is TransferConnectionException) TryGiveUp();
        }
        _channel.Writer.Complete(failure);
    }

    private async Task<long> FillAgainAsync()
    {
        for (var attempt = 1; ; attempt++)
        {
            TimeSpan wait;
            try
            {
                return await FillOnceAsync().ConfigureAwait(false);
            }
            catch (TransferException e) when (_count == 0 && _engine.Pool.Peak > 0 && MayFillAgain(e, attempt))
            {
                // Safe only because no entry was handed out, which would come twice.
                wait = _engine.Pool.WaitAfter(e, attempt);
            }
            if (wait > TimeSpan.Zero) await Task.Delay(wait, _engine.Time, _stop.Token).ConfigureAwait(false);
        }
    }

    // A session that had died in the pool is no attempt.
    private bool MayFillAgain(TransferException error, int attempt) =>
        (attempt == 1 && error is TransferConnectionException { Error: TransferError.Lost })
        || (attempt < _engine.Pool.Retry.Attempts && SessionPoolExtensions.IsLoss(error));

    private ValueTask<long> FillOnceAsync() =>
        _isCollected ? _engine.Lists.UseAsync(CollectAsync, _engine.Lists.MayFind(_options), retry: false, _stop.Token, () => _isAwaited)
        : _engine.Lists.UseUnpacedAsync(StreamAsync, () => _isAwaited, _stop.Token);

    private async ValueTask<long> StreamAsync(TransferSession session, CancellationToken ct)
    {
        _report = NewReport();
        await foreach (var entry in session.ListAsync(_directory, _report, ct).ConfigureAwait(false))
        {
            // Before the turn no entry is taken, so that room is a matter of memory alone.
            while (!await _room.WaitAsync(TimeSpan.Zero, ct).ConfigureAwait(false) && IsInTurn)
            {
                if (IsWanted || await HasRoomSoonAsync(ct).ConfigureAwait(false)) break;
            }
            await TakeAsync(entry, ct).ConfigureAwait(false);
            Keep(entry);
        }
        return _count;
    }

    // An early end would cost the session, and so all listings behind: the rest of one that is given up is read and dropped.
    private async ValueTask<long> CollectAsync(TransferSession session, CancellationToken ct)
    {
        _report = NewReport();
        await foreach (var entry in session.ListAsync(_directory, _report, ct).ConfigureAwait(false))
        {
            if (Volatile.Read(ref _turn) == GivenUp) continue;
            if (TryTake(ListingShare.CostOf(entry.Path)))
            {
                Keep(entry);
                continue;
            }
            TryGiveUp();
            while (_channel.Reader.TryRead(out var dropped)) Return(dropped);
        }
        return _count;
    }

    private ListingReport NewReport() =>
        new() { OnlyShows = _options.Recursive, NamesSuffice = _options is { Recursive: true, NamesSuffice: true } };

    private void Keep(RemoteEntry entry)
    {
        _count++;
        _channel.Writer.TryWrite(entry);
    }

    private bool TryTake(long cost)
    {
        if (!_ahead!.TryTake(cost, insists: false)) return false;
        if (!_share.TryTake(cost))
        {
            _ahead.Return(cost);
            return false;
        }
        Interlocked.Add(ref _unread, cost);
        return true;
    }

    private void Return(RemoteEntry entry)
    {
        var cost = ListingShare.CostOf(entry.Path);
        _share.Return(cost);
        Interlocked.Add(ref _unread, -cost);
        _ahead?.Return(cost);
    }

    // Waits for memory, which the application returns by taking entries. The limit is met when another caller waits for the session, or
    // when no unread entry of this listing holds memory.
    private async ValueTask TakeAsync(RemoteEntry entry, CancellationToken ct)
    {
        var cost = ListingShare.CostOf(entry.Path);
        while (!(_ahead?.TryTake(cost, insists: IsInTurn) ?? true))
        {
            // The application reads on until the turn comes, unless that needs this session.
            if (IsWanted && TryGiveUp()) throw _share.Exceeded();
            await Task.Delay(Look, _engine.Time, ct).ConfigureAwait(false);
        }
        while (true)
        {
            // Looked at first: the application may take the last entry at any time.
            var isMine = Interlocked.Read(ref _unread) > 0;
            if (_share.TryTake(cost)) break;
            if (TryGiveUp() || !isMine || IsWanted) throw _share.Exceeded();
            await Task.Delay(Look, _engine.Time, ct).ConfigureAwait(false);
        }
        Interlocked.Add(ref _unread, cost);
    }

    private bool IsInTurn => Volatile.Read(ref _turn) == InTurn;

    // Whether another caller waits for a session.
    private bool IsWanted => _engine.Lists.IsPressed;

    private bool TryGiveUp() => Interlocked.CompareExchange(ref _turn, GivenUp, Before) == Before;

    private async ValueTask<bool> HasRoomSoonAsync(CancellationToken ct)
    {
        using var look = new CancellationTokenSource(Look, _engine.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(look.Token, ct);
        try
        {
            await _room.WaitAsync(either.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            return false;
        }
    }
}
