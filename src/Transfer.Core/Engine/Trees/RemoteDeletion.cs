using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine.Files;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>
/// Deletes a path with all that is in it: depth first, files and emptied directories in batches, so that memory goes with the
/// depth and not with the tree.
/// </summary>
internal sealed class RemoteDeletion
{
    private const int Together = 256;

    private readonly TransferSession _session;
    private readonly ListingBudget _listings;
    private readonly ILogger _logger;
    private readonly List<string> _empty = [];
    private string _above = "/"; // what is deleted is below
    private TransferException? _error;

    /// <param name="session">The session.</param>
    /// <param name="listings">Room for what is listed. A directory that finds none is emptied as far as it was listed, and stays.</param>
    /// <param name="logger">Where messages go.</param>
    public RemoteDeletion(TransferSession session, ListingBudget listings, ILogger logger)
    {
        _listings = listings;
        _session = session;
        _logger = logger;
    }

    /// <summary>True when something was deleted, false when nothing was there.</summary>
    /// <exception cref="TransferException">The first thing that could not be deleted; the rest was tried.</exception>
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
                // Most likely it is not empty.
                if (_error is not null && refused is not null && proof == DirectoryProof.Unknown) throw refused;
                break;
        }
        return _error is null ? true : throw _error;
    }

    // One that is gone by now was deleted by another.
    private static bool IsDeleted(TransferException? outcome) => outcome switch
    {
        null => true,
        { Error: TransferError.NotFound } => false,
        _ => throw outcome,
    };

    // Nothing leads to the root, nor to the log-in folder.
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
                _empty.Add(frame.Path); // behind all that were in it
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

    // A listing that was truncated names others once those that it named are gone. True: it did.
    private async ValueTask<bool> EmptyMoreAsync(DeletionFrame frame, CancellationToken ct)
    {
        if (_empty.Count > 0) await RemoveEmptyAsync(ct).ConfigureAwait(false);
        var (gap, before) = (frame.Gap!, frame.Named);
        await EmptyAsync(frame, ct).ConfigureAwait(false);
        if (frame.Gap is null || frame.Named.Any(name => !before.Contains(name))) return true;
        // What it did name was deleted, or could not be. That there is nothing else is not proved.
        Note(gap);
        frame.Gap = null;
        return false;
    }

    // Deletes the files of a directory, as far as it is listed, and puts down its sub-directories.
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
                    // The whole entry, until it is proved to be one.
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

    // Puts down the directories that are in this one, and deletes the links.
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

    // Deleting a link leaves what it leads to. A refusal is final, whatever it says: what is there may be another's folder.
    private async ValueTask UnlinkAsync((string Path, DirectoryProof Proof)[] entries, CancellationToken ct)
    {
        var outcomes = await _session.DeleteFilesBelowAsync(_above, [.. entries.Select(entry => entry.Path)], ct).ConfigureAwait(false);
        for (var i = 0; i < outcomes.Count; i++)
        {
            if (outcomes[i] is not { } refusal) continue;
            var left = DoubtfulDirectory.Refused(entries[i].Path, entries[i].Proof, refusal);
            // The first one is thrown.
            if (_error is not null) Log.DirectoryLeft(_logger, left.Message);
            Note(left);
        }
    }

    private async ValueTask RemoveEmptyAsync(CancellationToken ct)
    {
        // What could not be deleted is in the way of what it was in.
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
