using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// Deletes a path with all entries: depth first, files and emptied directories in batches, so that memory grows with the depth and
/// not with the tree.
/// </summary>
internal sealed class RemoteDeletion
{
    private const int Together = 256;

    private readonly TransferSession _session;
    private readonly ListingBudget _listings;
    private readonly ILogger _logger;
    private readonly List<string> _empty = [];
    private string _above = "/"; // the parent of all deletions
    private TransferException? _error;

    /// <param name="session">The session.</param>
    /// <param name="listings">The budget for listings. A directory that exceeds the budget is emptied as far as listed, and
    /// stays.</param>
    /// <param name="logger">The log.</param>
    public RemoteDeletion(TransferSession session, ListingBudget listings, ILogger logger)
    {
        _listings = listings;
        _session = session;
        _logger = logger;
    }

    /// <summary>Deletes the path. True: deleted; false: absent.</summary>
    /// <exception cref="TransferException">The first error; the rest was tried.</exception>
    public async ValueTask<bool> DeleteAsync(string path, bool recursive, CancellationToken ct)
    {
        _above = RemotePath.GetParent(path) is { Length: > 0 } parent ? parent : "/";
        if (await _session.GetEntryAsync(path, ct).ConfigureAwait(false) is not { } entry) return false;
        if (entry.Type != RemoteEntryType.Directory)
            return IsDeleted((await _session.DeleteFilesAsync([path], ct).ConfigureAwait(false))[0]);
        var refused = recursive ? null : (await _session.RemoveDirectoriesAsync([path], ct).ConfigureAwait(false))[0];
        if (!recursive && refused is null or { Error: TransferError.NotFound }) return IsDeleted(refused);
        switch (await ProveAsync(path, entry, ct).ConfigureAwait(false))
        {
            case DirectoryProof.Child when refused is not null:
                throw refused;
            case DirectoryProof.Child:
                await DeleteTreeAsync(path, ct).ConfigureAwait(false);
                break;
            case var proof:
                await UnlinkAsync([(path, proof)], ct).ConfigureAwait(false);
                // Most likely the directory is not empty.
                if (_error is not null && refused is not null && proof == DirectoryProof.Unknown) throw refused;
                break;
        }
        return _error is null ? true : throw _error;
    }

    // An entry that is gone by now was deleted by another client.
    private static bool IsDeleted(TransferException? outcome) => outcome switch
    {
        null => true,
        { Error: TransferError.NotFound } => false,
        _ => throw outcome,
    };

    // No link leads to the root, nor to the log-in folder.
    private async ValueTask<DirectoryProof> ProveAsync(string path, RemoteEntry entry, CancellationToken ct) =>
        RemotePath.GetParent(path) is { Length: > 0 } parent
        ? (await _session.ProveDirectoriesAsync(parent, [entry], ct).ConfigureAwait(false))[0]
        : DirectoryProof.Child;

    private async ValueTask DeleteTreeAsync(string root, CancellationToken ct)
    {
        var frames = new Stack<DeletionFrame>();
        try
        {
            frames.Push(await EnterAsync(root, ct).ConfigureAwait(false));
            while (frames.TryPeek(out var frame))
            {
                if (frame.Children.TryPop(out var child))
                {
                    if (PlannedDirectory.RefuseLength(child) is { } tooLong) Note(tooLong);
                    else frames.Push(await EnterAsync(child, ct).ConfigureAwait(false));
                    continue;
                }
                if (frame.Gap is not null && await EmptyMoreAsync(frame, ct).ConfigureAwait(false)) continue;
                frames.Pop();
                frame.Share.Dispose();
                _empty.Add(frame.Path); // behind the children
                if (_empty.Count >= Together || frames.Count == 0) await RemoveEmptyAsync(ct).ConfigureAwait(false);
            }
        }
        finally
        {
            foreach (var frame in frames) frame.Share.Dispose();
        }
    }

    private async ValueTask<DeletionFrame> EnterAsync(string directory, CancellationToken ct)
    {
        var frame = new DeletionFrame(directory, _listings.Open(directory));
        try
        {
            await EmptyAsync(frame, ct).ConfigureAwait(false);
            return frame;
        }
        catch
        {
            frame.Share.Dispose();
            throw;
        }
    }

    // A truncated listing names further entries once the first ones are gone. True: this listing did.
    private async ValueTask<bool> EmptyMoreAsync(DeletionFrame frame, CancellationToken ct)
    {
        if (_empty.Count > 0) await RemoveEmptyAsync(ct).ConfigureAwait(false);
        var (gap, before) = (frame.Gap!, frame.Named);
        await EmptyAsync(frame, ct).ConfigureAwait(false);
        if (frame.Gap is null || frame.Named.Any(name => !before.Contains(name))) return true;
        // The named entries were deleted, or could not be; that there are no more is not proved.
        Note(gap);
        frame.Gap = null;
        return false;
    }

    // Deletes the files of a directory, as far as listed, and stacks the child directories.
    private async ValueTask EmptyAsync(DeletionFrame frame, CancellationToken ct)
    {
        var (directory, files, directories, report) = (frame.Path, new List<string>(), new List<RemoteEntry>(), new ListingReport());
        using var share = _listings.Open(directory);
        try
        {
            await foreach (var entry in _session.ListAsync(directory, report, ct).ConfigureAwait(false))
            {
                // A name that leads elsewhere would delete elsewhere.
                if (!ListedNames.IsUsable(directory, entry, _logger)) continue;
                if (entry.Type == RemoteEntryType.Directory)
                {
                    // The whole entry is kept until proved to be a directory.
                    frame.Share.Keep(entry, directories);
                    continue;
                }
                share.Take(entry.Path);
                files.Add(entry.Path);
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Note(frame.Gap ?? e);
        }
        frame.Gap = report.ToError(directory);
        frame.Named = frame.Gap is null ? [] : [.. files, .. directories.Select(entry => entry.Path)];
        foreach (var some in files.Chunk(Together)) Note(await _session.DeleteFilesBelowAsync(_above, some, ct).ConfigureAwait(false));
        if (directories.Count > 0) await SortAsync(frame, directories, ct).ConfigureAwait(false);
    }

    // Stacks the entries that are directories in this one, and deletes the links.
    private async ValueTask SortAsync(DeletionFrame frame, List<RemoteEntry> entries, CancellationToken ct)
    {
        var proofs = await _session.ProveDirectoriesAsync(frame.Path, entries, ct).ConfigureAwait(false);
        var others = new List<(string, DirectoryProof)>();
        for (var i = 0; i < entries.Count; i++)
        {
            if (proofs[i] == DirectoryProof.Child) frame.Children.Push(entries[i].Path);
            else others.Add((entries[i].Path, proofs[i]));
        }
        foreach (var some in others.Chunk(Together)) await UnlinkAsync(some, ct).ConfigureAwait(false);
    }

    // Deleting a link leaves the folder to which it leads. A refusal is final, for any reason: that folder may be outside.
    private async ValueTask UnlinkAsync((string Path, DirectoryProof Proof)[] entries, CancellationToken ct)
    {
        var outcomes = await _session.DeleteFilesBelowAsync(_above, [.. entries.Select(entry => entry.Path)], ct).ConfigureAwait(false);
        for (var i = 0; i < outcomes.Count; i++)
        {
            if (outcomes[i] is not { } refusal) continue;
            var left = DoubtfulDirectory.Refused(entries[i].Path, entries[i].Proof, refusal);
            // The first error is thrown.
            if (_error is not null) Log.DirectoryLeft(_logger, left.Message);
            Note(left);
        }
    }

    private async ValueTask RemoveEmptyAsync(CancellationToken ct)
    {
        // After an error, hidden links need no search: the entry that could not be deleted keeps the parents from being empty.
        Note(_error is null ? await EmptyDirectories.RemoveAsync(_session, _above, [.. _empty], ct).ConfigureAwait(false)
            : await _session.RemoveDirectoriesBelowAsync(_above, [.. _empty], ct).ConfigureAwait(false));
        _empty.Clear();
    }

    private void Note(IReadOnlyList<TransferException?> outcomes)
    {
        foreach (var outcome in outcomes)
        {
            if (outcome is { Error: not TransferError.NotFound }) Note(outcome);
        }
    }

    private void Note(TransferException error) => _error ??= error;
}
