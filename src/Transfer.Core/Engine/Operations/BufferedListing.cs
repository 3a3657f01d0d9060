using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Transfer.Engine.Scheduling;
using Transfer.Listings;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>
/// One directory's listing, read ahead of the application. Normally a bounded part is in memory. When the application is slow and another
/// caller (maybe the application itself, in its loop) waits for a session, the rest is read into memory and the session returned: a loop
/// that deletes the listed files works with a single session.
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
    private ListingReport _report = new();
    private readonly AheadRoom? _ahead;
    private long _unread; // bytes of entries that the application has not taken
    private int _turn;

    /// <param name="engine">The engine of the client.</param>
    /// <param name="directory">The directory, absolute.</param>
    /// <param name="ahead">The memory for entries that come before the directory's turn; null: it is the turn.</param>
    /// <param name="ct">Cancels.</param>
    public BufferedListing(ClientEngine engine, string directory, AheadRoom? ahead, CancellationToken ct)
    {
        _ahead = ahead;
        _turn = ahead is null ? InTurn : Before;
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

    /// <summary>
    /// Notes that the application reads from now on. False: the listing was given up before, and is to be made again from the start.
    /// </summary>
    public bool TryTakeTurn() => Interlocked.CompareExchange(ref _turn, InTurn, Before) != GivenUp;

    public async IAsyncEnumerable<RemoteEntry> ReadAsync([EnumeratorCancellation] CancellationToken ct)
    {
        await foreach (var entry in _channel.Reader.ReadAllAsync(ct).ConfigureAwait(false))
        {
            _room.Release();
            var cost = ListingShare.CostOf(entry.Path);
            _share.Return(cost);
            Interlocked.Add(ref _unread, -cost);
            _ahead?.Return(cost);
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
            await _engine.MeasureAsync("list", FillOnceOrTwiceAsync, _caller, _directory).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            failure = e;
            // Before the turn no entry was read: a lost session costs a second listing.
            if (e is TransferConnectionException) TryGiveUp();
        }
        _channel.Writer.Complete(failure);
    }

    private async Task<long> FillOnceOrTwiceAsync()
    {
        var count = 0L;
        try
        {
            return await _engine.Lists.UseUnpacedAsync(FillFromAsync, _stop.Token).ConfigureAwait(false);
        }
        catch (TransferConnectionException e) when (e.Error == TransferError.Lost && count == 0 && _engine.Pool.Peak > 0)
        {
            // The session had died in the pool. A retry is safe only because no entry was handed out, which would come twice.
            return await _engine.Lists.UseUnpacedAsync(FillFromAsync, _stop.Token).ConfigureAwait(false);
        }

        async ValueTask<long> FillFromAsync(TransferSession session, CancellationToken ct)
        {
            _report = new ListingReport();
            await foreach (var entry in session.ListAsync(_directory, _report, ct).ConfigureAwait(false))
            {
                // Before the turn no entry is taken, so that room is a matter of memory alone.
                while (!await _room.WaitAsync(TimeSpan.Zero, ct).ConfigureAwait(false) && IsInTurn)
                {
                    if (IsWanted || await HasRoomSoonAsync(ct).ConfigureAwait(false)) break;
                }
                await TakeAsync(entry, ct).ConfigureAwait(false);
                count++;
                _channel.Writer.TryWrite(entry);
            }
            return count;
        }
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
        while (!_share.TryTake(cost))
        {
            if (TryGiveUp() || IsWanted || Interlocked.Read(ref _unread) == 0) throw _share.Exceeded();
            await Task.Delay(Look, _engine.Time, ct).ConfigureAwait(false);
        }
        Interlocked.Add(ref _unread, cost);
    }

    private bool IsInTurn => Volatile.Read(ref _turn) == InTurn;

    // Whether another caller waits for a session.
    private bool IsWanted => _engine.Pool.WaitingCount > 0 || _engine.Lists.HasWaiting;

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
