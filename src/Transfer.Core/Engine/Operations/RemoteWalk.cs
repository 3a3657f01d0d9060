using Transfer.Diagnostics;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>
/// The directories of a recursive listing, in the order in which they were found. The next ones are listed ahead: as many as the sessions
/// list at the same time, as far as memory goes.
/// </summary>
internal sealed class RemoteWalk : IAsyncDisposable
{
    // A log-in takes as long as some listings.
    private const int DirectoriesPerLogIn = 4;

    private const long MostAhead = 32 << 20;

    private readonly ClientEngine _engine;
    private readonly CancellationToken _caller;
    private readonly ListOptions _options;
    private readonly ListingShare _share;
    private readonly AheadRoom _room;
    private readonly Queue<(string Path, WalkedDirectory Directory)> _found = new();
    private readonly Queue<(BufferedListing Listing, WalkedDirectory Directory)> _begun = new();
    private BufferedListing? _current;
    private WalkedDirectory _at = new(null);
    private int _repeated;

    /// <param name="engine">The engine of the client.</param>
    /// <param name="path">The first directory, absolute.</param>
    /// <param name="options">The options of the listing.</param>
    /// <param name="ct">Cancels.</param>
    public RemoteWalk(ClientEngine engine, string path, ListOptions options, CancellationToken ct)
    {
        _options = options;
        _engine = engine;
        _caller = ct;
        _share = engine.Listings.Open(path);
        _room = new AheadRoom(Math.Min(MostAhead, engine.Listings.Limit / 4));
        _begun.Enqueue((new BufferedListing(engine, path, options, ahead: null, ct), _at));
    }

    /// <summary>Adds a directory as the last.</summary>
    /// <exception cref="TransferException">There is no room left.</exception>
    public void Add(string directory)
    {
        _share.Take(directory);
        _found.Enqueue((directory, new WalkedDirectory(_at)));
        BeginSome();
    }

    /// <summary>
    /// Ends the present directory, whose listing is complete. Null: the directories in it are listed, too. Else they are left out: they
    /// seem to be those of a directory above, to which a link leads that the server lists as a directory.
    /// </summary>
    /// <param name="sign">The sign of the listing.</param>
    public async ValueTask<TransferException?> RefuseLoopAsync(ListingSign sign)
    {
        _at.Sign = sign;
        if (_current is not { Directory: var path } || !ListingSign.RepeatsAbove(_at)) return null;
        if (++_repeated <= WalkBounds.MostRepeated) return null;
        // The proof needs a session, which the listing may hold.
        await EndAsync().ConfigureAwait(false);
        if (_repeated <= WalkBounds.MostProved && await ProveAsync(path).ConfigureAwait(false) == DirectoryProof.Child) return null;
        _at.IsLoop = true;
        return WalkBounds.Repeated(path);
    }

    /// <summary>Ends the directory before, and returns the next one; null: there is none.</summary>
    public async ValueTask<BufferedListing?> NextAsync()
    {
        await EndAsync().ConfigureAwait(false);
        while (true)
        {
            BeginSome();
            if (_begun.TryDequeue(out var begun))
            {
                (_current, _at) = begun;
                if (_at.IsBehindLoop)
                {
                    await EndAsync().ConfigureAwait(false);
                    continue;
                }
                if (await _current.TryTakeTurnAsync().ConfigureAwait(false)) return _current;
                var directory = _current.Directory;
                await EndAsync().ConfigureAwait(false);
                _current = new BufferedListing(_engine, directory, _options, ahead: null, _caller);
            }
            else if (_found.TryDequeue(out var found))
            {
                _at = found.Directory;
                if (_at.IsBehindLoop) _share.Return(ListingShare.CostOf(found.Path));
                else _current = Begin(found.Path, ahead: null);
            }
            else
            {
                return null;
            }
            if (_current is not null) return _current;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await EndAsync().ConfigureAwait(false);
        // All end at the same time.
        await Task.WhenAll(_begun.Select(begun => begun.Listing.DisposeAsync().AsTask())).ConfigureAwait(false);
        _share.Dispose();
    }

    private async ValueTask EndAsync()
    {
        if (_current is { } ended) await ended.DisposeAsync().ConfigureAwait(false);
        _current = null;
    }

    private void BeginSome()
    {
        while (_found.Count > 0 && _begun.Count < MostBegun && _room.IsRoomy && !_engine.Listings.IsShort)
        {
            var (path, directory) = _found.Dequeue();
            if (directory.IsBehindLoop) _share.Return(ListingShare.CostOf(path));
            else _begun.Enqueue((Begin(path, _room), directory));
        }
    }

    private async ValueTask<DirectoryProof> ProveAsync(string path)
    {
        RemoteEntry[] entry = [new() { Path = path, Type = RemoteEntryType.Directory }];
        try
        {
            return await _engine.Lists.UseAsync(
                async (session, ct) => (await session.ProveDirectoriesAsync(entry, ct).ConfigureAwait(false))[0], finds: false, retry: true,
                _caller).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Log.LoopUnproved(_engine.Logger, path, e.Message);
            return DirectoryProof.Unknown;
        }
    }

    private BufferedListing Begin(string directory, AheadRoom? ahead)
    {
        _share.Return(ListingShare.CostOf(directory));
        return new BufferedListing(_engine, directory, _options, ahead, _caller);
    }

    private int MostBegun
    {
        get
        {
            var lists = _engine.Lists;
            var (together, waiting) = (lists.MayFind(_options) ? lists.FindsTogether : lists.Together, _found.Count + _begun.Count);
            if (together == 1) return Math.Clamp(waiting / DirectoriesPerLogIn, 0, _engine.UsualSessions - 1);
            // The session that lists now comes for nothing, others by log-ins. One folder alone is listed at the application's pace.
            if (lists.IsInTurn && (waiting < 2 || _current is { IsRead: false })) return 0;
            // The one that is read now is under way, too.
            return together - 1;
        }
    }
}
