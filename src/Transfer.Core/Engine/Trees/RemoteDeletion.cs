using Transfer.Engine.Files;
using Transfer.Engine.Scheduling;
using Transfer.Names;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>Deletes a path: a file, a link, an empty folder, or a folder with all entries (<see cref="TreeDeletion"/>).</summary>
internal sealed class RemoteDeletion
{
    private readonly ClientEngine _engine;
    private readonly TreeReport? _report;

    /// <param name="engine">The engine of the client.</param>
    /// <param name="report">Receives each deleted entry, and each that could not be; or null.</param>
    public RemoteDeletion(ClientEngine engine, TreeReport? report) => (_engine, _report) = (engine, report);

    /// <summary>Deletes the path. True: deleted; false: absent.</summary>
    /// <exception cref="TransferException">The first error; the rest was tried.</exception>
    public async Task<bool> DeleteAsync(string path, bool recursive, CancellationToken ct)
    {
        var found = await UseAsync((session, token) => FindAsync(session, path, recursive, token), ct).ConfigureAwait(false);
        if (found.Entry is not { } entry) return false;
        if (entry.Type != RemoteEntryType.Directory)
        {
            return IsDeleted(entry, await DeleteOneAsync(entry,
                static (session, paths, token) => session.DeleteFilesAsync(paths, token), ct).ConfigureAwait(false));
        }
        var refused = recursive ? null : await RemoveEmptyAsync(entry, ct).ConfigureAwait(false);
        if (!recursive && refused is null or { Error: TransferError.NotFound }) return IsDeleted(entry, refused);
        var proof = recursive ? found.Proof : await ProveAsync(entry, ct).ConfigureAwait(false);
        if (proof == DirectoryProof.Child)
        {
            if (refused is not null) return IsDeleted(entry, refused);
            var deletion = new TreeDeletion(_engine, _report, Above(path));
            await TreePass.RunAsync(_engine, deletion, new PassFolder(entry), _report?.Context, ct).ConfigureAwait(false);
            return deletion.FirstError is { } error ? throw error : true;
        }
        var kept = await DeleteOneAsync(entry,
            (session, paths, token) => session.DeleteFilesBelowAsync(Above(path), paths, token), ct).ConfigureAwait(false);
        if (kept is null or { Error: TransferError.NotFound }) return IsDeleted(entry, null);
        return IsDeleted(entry,
            refused is not null && proof == DirectoryProof.Unknown ? refused : DoubtfulDirectory.Refused(path, proof, kept));
    }

    // Some servers delete all entries of a directory with it (stores of objects); and most codes of a refusal say nothing of entries.
    private async ValueTask<TransferException?> RemoveEmptyAsync(RemoteEntry directory, CancellationToken ct) =>
        await HasEntryAsync(directory.Path, ct).ConfigureAwait(false)
        ? new TransferException(TransferError.Denied, $"{directory.Path} is not empty.") { RemotePath = directory.Path }
        : await DeleteOneAsync(directory, static (session, paths, token) => session.RemoveDirectoriesAsync(paths, token), ct)
            .ConfigureAwait(false);

    private async ValueTask<bool> HasEntryAsync(string path, CancellationToken ct)
    {
        try
        {
            return await UseAsync(async (session, token) =>
            {
                await foreach (var entry in session.ListAsync(path, new ListingReport(), token).ConfigureAwait(false))
                {
                    if (ListedNames.NameOf(path, entry) is not ("." or "..")) return true;
                }
                return false;
            }, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // A directory that may not be read may be removed.
            return false;
        }
    }

    private static string Above(string path) => RemotePath.GetParent(path) is { Length: > 0 } parent ? parent : "/";

    // A folder that is not emptied needs its proof only where the server refuses to remove it.
    private static async ValueTask<ProvedEntry> FindAsync(
        TransferSession session, string path, bool recursive, CancellationToken ct) =>
        recursive && MayBeLink(path) ? await session.GetProvedEntryAsync(path, ct).ConfigureAwait(false)
        : new(await session.GetEntryAsync(path, ct).ConfigureAwait(false), recursive ? DirectoryProof.Child : DirectoryProof.Unknown);

    // No link leads to the root, nor to the log-in folder.
    private static bool MayBeLink(string path) => RemotePath.GetParent(path) is { Length: > 0 };

    private async ValueTask<DirectoryProof> ProveAsync(RemoteEntry entry, CancellationToken ct) =>
        MayBeLink(entry.Path)
        ? (await UseAsync((session, token) => session.ProveDirectoriesAsync([entry], token), ct).ConfigureAwait(false))[0]
        : DirectoryProof.Child;

    private async ValueTask<TransferException?> DeleteOneAsync(RemoteEntry entry, Deletion delete, CancellationToken ct) =>
        (await UseAsync(LostDeletions.Repeatable(delete, [entry.Path]), ct).ConfigureAwait(false))[0];

    // An entry that is gone by now was deleted by another client.
    private bool IsDeleted(RemoteEntry entry, TransferException? outcome)
    {
        if (outcome is { Error: TransferError.NotFound }) return false;
        _report?.Report(TreeDeletion.ResultOf(entry.Path, entry.Type, outcome));
        return outcome is null ? true : throw outcome;
    }

    private ValueTask<T> UseAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, CancellationToken ct) =>
        _engine.Pool.UseAsync(action, retry: true, ct);
}
