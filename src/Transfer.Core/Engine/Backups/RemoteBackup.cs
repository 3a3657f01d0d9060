using Transfer.Engine.Files;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Backups;

/// <summary>A folder of backups at a server.</summary>
internal sealed class RemoteBackup : BackupFolder
{
    // The most tries: another run may take a name in the same moment.
    private const int MostTries = 5;

    private readonly IDispatcherOwner _owner;
    private readonly Dispatcher _dispatcher;
    private readonly string _root;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Task> _made = new(StringComparer.Ordinal);

    public RemoteBackup(IDispatcherOwner owner, Dispatcher dispatcher, string root, string path, string? within)
        : base(path, within) => (_owner, _dispatcher, _root) = (owner, dispatcher, root);

    public override async ValueTask<IReadOnlyList<TransferException?>> TakeAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var errors = new TransferException?[paths.Count];
        for (var i = 0; i < errors.Length; i++)
        {
            try
            {
                await MoveAwayAsync(paths[i], looks: false, null, ct).ConfigureAwait(false);
            }
            catch (TransferException e)
            {
                errors[i] = e;
            }
        }
        return errors;
    }

    public override ValueTask<string?> TakeAsync(string path, CancellationToken ct) => MoveAwayAsync(path, looks: true, null, ct);

    /// <summary>Moves one file away, if it may go.</summary>
    /// <param name="path">The path relative to the job's folder.</param>
    /// <param name="mayGo">Decides, on the session of the move and right before the move.</param>
    /// <param name="ct">Cancels.</param>
    public async ValueTask TakeAsync(string path, Func<TransferSession, CancellationToken, ValueTask<bool>> mayGo, CancellationToken ct) =>
        await MoveAwayAsync(path, looks: false, mayGo, ct).ConfigureAwait(false);

    private async ValueTask<string?> MoveAwayAsync(
        string path, bool looks, Func<TransferSession, CancellationToken, ValueTask<bool>>? mayGo, CancellationToken ct)
    {
        var (from, to) = (RemotePath.Combine(_root, path), RemotePath.Combine(Path, path));
        var (folder, name) = (RemotePath.GetParent(to)!, RemotePath.GetName(to));
        if (looks)
        {
            if (await LookAsync(from, ct).ConfigureAwait(false) is not { } seen) return null;
            if (seen.Type == RemoteEntryType.Directory)
                throw new TransferException(TransferError.Exists, $"{from} is a folder, and in the way of a file.") { RemotePath = from };
        }
        await MakeAsync(folder, ct).ConfigureAwait(false);
        for (var left = MostTries; ; left--)
        {
            try
            {
                return await MoveAsync(from, to, mayGo, ct).ConfigureAwait(false) ? to : null;
            }
            catch (TransferException e) when (e.Error == TransferError.Exists && left > 1)
            {
                to = RemotePath.Combine(folder, await NextAsync(folder, name, ct).ConfigureAwait(false));
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                throw e.WithMessage($"{from} could not be moved to {to}, and is left: {e.Message}", from);
            }
        }
    }

    public override async ValueTask<bool> PutBackAsync(string backup, string path)
    {
        try
        {
            return await MoveAsync(backup, RemotePath.Combine(_root, path), null, CancellationToken.None).ConfigureAwait(false);
        }
        catch (TransferException)
        {
            // The reported error names the backup.
            return false;
        }
    }

    // False: there is no file to move, or it may not go. A refusal alone does not prove that there is none.
    private ValueTask<bool> MoveAsync(
        string from, string to, Func<TransferSession, CancellationToken, ValueTask<bool>>? mayGo, CancellationToken ct)
    {
        var asked = false;
        return _dispatcher.ControlAsync(async (session, token) =>
        {
            // A session that was lost over the rename may have completed the rename.
            if (asked && await session.GetEntryAsync(from, token).ConfigureAwait(false) is null)
                return await session.GetEntryAsync(to, token).ConfigureAwait(false) is not null;
            if (mayGo is not null && !await mayGo(session, token).ConfigureAwait(false)) return false;
            asked = true;
            try
            {
                await session.RenameAsync(new Renaming(from, to) { Asides = _owner.Asides }, token).ConfigureAwait(false);
                return true;
            }
            catch (TransferException e) when (e is not TransferConnectionException && e.Error == TransferError.NotFound)
            {
                if (await session.GetEntryAsync(from, token).ConfigureAwait(false) is not null) throw;
                return false;
            }
        }, retry: true, ct);
    }

    private ValueTask<RemoteEntry?> LookAsync(string path, CancellationToken ct) =>
        _dispatcher.ControlAsync((session, token) => session.GetEntryAsync(path, token), retry: true, ct);

    private ValueTask<string> NextAsync(string folder, string name, CancellationToken ct) =>
        _dispatcher.ControlAsync(async (session, token) =>
        {
            var taken = new List<string>();
            // A name that the listing lacks is not replaced: the move refuses.
            await foreach (var entry in session.ListAsync(folder, new ListingReport(), token).ConfigureAwait(false))
            {
                if (entry.Name.StartsWith(name, StringComparison.OrdinalIgnoreCase)) taken.Add(entry.Name);
            }
            return BackupNames.Next(name, taken);
        }, retry: true, ct);

    private Task MakeAsync(string folder, CancellationToken ct)
    {
        lock (_gate)
        {
            if (_made.TryGetValue(folder, out var made) && !made.IsFaulted && !made.IsCanceled) return made;
            return _made[folder] = _dispatcher.EnsureAsync(folder, ct).AsTask();
        }
    }
}
