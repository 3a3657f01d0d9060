using System.Runtime.CompilerServices;
using Transfer.Diagnostics;
using Transfer.Engine;

namespace Transfer;

public abstract partial class TransferClient
{
    /// <summary>Lists a directory as it comes, in no order; names that no directory can hold (<c>.</c>, <c>..</c>, a slash, NUL) are left out with a warning in the log.</summary>
    /// <exception cref="TransferException">Thrown while enumerating: no such directory, no permission, or the connection was lost.</exception>
    public virtual IAsyncEnumerable<RemoteEntry> ListAsync(string path, ListOptions? options = null, CancellationToken ct = default) =>
        EnumerateAsync(Resolve(path), options ?? new ListOptions(), ct);

    /// <summary>Describes one path; null when it does not exist.</summary>
    public virtual async ValueTask<RemoteEntry?> GetEntryAsync(string path, CancellationToken ct = default)
    {
        var full = Resolve(path);
        return await _engine.ControlAsync("stat", (session, token) => session.GetEntryAsync(full, token), retry: true, ct).ConfigureAwait(false);
    }

    /// <summary>Creates a directory, and those above it when asked; one that exists already is not an error.</summary>
    /// <exception cref="TransferException">It could not be created.</exception>
    public virtual async ValueTask CreateDirectoryAsync(string path, bool parents = true, CancellationToken ct = default)
    {
        var full = Resolve(path);
        await _engine.ControlAsync("mkdir", async (session, token) =>
        {
            if (parents) return await RemoteDirectories.EnsureAsync(session, full, token).ConfigureAwait(false);
            var outcome = (await session.CreateDirectoriesAsync([full], token).ConfigureAwait(false))[0];
            return outcome.Error is null ? outcome.Created : throw outcome.Error;
        }, retry: true, ct).ConfigureAwait(false);
    }

    /// <summary>Deletes a file, a link, or a directory: an empty one, or with all that is in it when asked. Links are deleted, not followed.</summary>
    /// <returns>True when something was deleted, false when nothing was there.</returns>
    /// <exception cref="TransferException">Something could not be deleted; the rest was tried.</exception>
    public virtual async ValueTask<bool> DeleteAsync(string path, bool recursive = false, CancellationToken ct = default)
    {
        var full = Resolve(path);
        return await _engine.ControlAsync(
            "delete", (session, token) => new RemoteDeletion(session, _engine.Logger).DeleteAsync(full, recursive, token), retry: false, ct)
            .ConfigureAwait(false);
    }

    /// <summary>Renames a file or directory.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: the target exists and may not be replaced.</exception>
    public virtual async ValueTask MoveAsync(string from, string to, bool overwrite = false, CancellationToken ct = default)
    {
        var (source, target) = (Resolve(from), Resolve(to));
        await _engine.ControlAsync("move", async (session, token) =>
        {
            await session.MoveAsync(source, target, overwrite, token).ConfigureAwait(false);
            return true;
        }, retry: false, ct).ConfigureAwait(false);
    }

    private async IAsyncEnumerable<RemoteEntry> EnumerateAsync(string path, ListOptions options, [EnumeratorCancellation] CancellationToken ct)
    {
        var directories = new Queue<string>([path]);
        while (directories.TryDequeue(out var directory))
        {
            var listing = new BufferedListing(_engine, directory, ct);
            await using (listing.ConfigureAwait(false))
            {
                await foreach (var entry in listing.ReadAsync(ct).ConfigureAwait(false))
                {
                    if (ListedNames.Refuse(ListedNames.NameOf(directory, entry)) is not null)
                    {
                        Log.NameRefused(_engine.Logger, directory, entry.Path);
                        continue;
                    }
                    if (options.Recursive && entry.Type == RemoteEntryType.Directory) directories.Enqueue(entry.Path);
                    yield return entry;
                }
            }
        }
    }
}
