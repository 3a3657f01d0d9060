using Transfer.Engine.Scheduling;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>Changes the permissions of a path, or of a folder with all entries (<see cref="TreeModes"/>).</summary>
internal sealed class RemoteModes
{
    private readonly ClientEngine _engine;
    private readonly ModeChange _change;
    private readonly TreeModes _tree;
    private readonly TransferJobContext _job;

    public RemoteModes(ClientEngine engine, ModeChange change, TreeReport report)
    {
        _job = report.Context;
        _engine = engine;
        _change = change;
        _tree = new TreeModes(engine, change, report);
    }

    /// <summary>Changes the permissions.</summary>
    /// <exception cref="TransferException">The first error; the rest was tried.</exception>
    public async Task<bool> RunAsync(string path, bool recursive, CancellationToken ct)
    {
        var folder = new PassFolder(await UseAsync((session, token) => FindAsync(session, path, token), ct).ConfigureAwait(false));
        if (recursive && folder.Entry.Type == RemoteEntryType.Directory)
        {
            await TreePass.RunAsync(_engine, _tree, folder, _job, ct).ConfigureAwait(false);
        }
        else
        {
            await UseAsync(async (session, token) =>
            {
                await _tree.ChangeAsync(session, [folder.Entry], token).ConfigureAwait(false);
                return true;
            }, ct).ConfigureAwait(false);
        }
        return _tree.FirstError is { } error ? throw error : true;
    }

    private async ValueTask<RemoteEntry> FindAsync(TransferSession session, string path, CancellationToken ct)
    {
        var entry = await session.GetEntryAsync(path, ct).ConfigureAwait(false)
            ?? throw new TransferException(TransferError.NotFound, $"{path} does not exist.") { RemotePath = path };
        // A link that the caller names is followed, as by chmod(1).
        if (entry.Type == RemoteEntryType.Link) entry = await FollowAsync(session, path, ct).ConfigureAwait(false);
        return _change.NeedsPresent && entry.Mode is null ? await ListedAsync(session, entry, ct).ConfigureAwait(false) : entry;
    }

    private static async ValueTask<RemoteEntry> FollowAsync(TransferSession session, string path, CancellationToken ct)
    {
        var outcome = (await session.FollowLinksAsync([path], ct).ConfigureAwait(false))[0];
        if (outcome.Error is { } error) throw error;
        return (outcome.Entry
            ?? throw new TransferException(TransferError.NotFound, $"{path} leads to nothing.") { RemotePath = path }) with
        { Path = path };
    }

    // In some protocols a look at a single path gives no permissions, and the listing of the parent does.
    private static async ValueTask<RemoteEntry> ListedAsync(TransferSession session, RemoteEntry entry, CancellationToken ct) =>
        await ListedEntry.FindAsync(session, entry, ct).ConfigureAwait(false) is { } listed ? entry with { Mode = listed.Mode } : entry;

    private ValueTask<T> UseAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, CancellationToken ct) =>
        _engine.Pool.UseAsync(action, retry: true, ct);
}
