using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>
/// Deletes a path with all that is in it: depth first, files and emptied directories in batches, so that memory goes with the
/// depth and not with the tree.
/// </summary>
internal sealed class RemoteDeletion
{
    private const int Together = 256;

    private readonly TransferSession _session;
    private readonly ILogger _logger;
    private readonly List<string> _empty = [];
    private TransferException? _error;

    public RemoteDeletion(TransferSession session, ILogger logger)
    {
        _session = session;
        _logger = logger;
    }

    /// <summary>True when something was deleted, false when nothing was there.</summary>
    /// <exception cref="TransferException">The first thing that could not be deleted; the rest was tried.</exception>
    public async ValueTask<bool> DeleteAsync(string path, bool recursive, CancellationToken ct)
    {
        if (await _session.GetEntryAsync(path, ct).ConfigureAwait(false) is not { } entry) return false;
        if (entry.Type == RemoteEntryType.Directory && recursive)
        {
            await DeleteTreeAsync(path, ct).ConfigureAwait(false);
            if (_error is not null) throw _error;
            return true;
        }
        var outcomes = entry.Type == RemoteEntryType.Directory
            ? await _session.RemoveDirectoriesAsync([path], ct).ConfigureAwait(false)
            : await _session.DeleteFilesAsync([path], ct).ConfigureAwait(false);
        return outcomes[0] switch
        {
            null => true,
            { Error: TransferError.NotFound } => false, // somebody else was faster
            var error => throw error,
        };
    }

    private async ValueTask DeleteTreeAsync(string root, CancellationToken ct)
    {
        // Each frame: a directory and those in it that are still to be visited.
        var frames = new Stack<(string Path, Stack<string> Children)>();
        frames.Push((root, await EmptyAsync(root, ct).ConfigureAwait(false)));
        while (frames.TryPeek(out var frame))
        {
            if (frame.Children.TryPop(out var child))
            {
                frames.Push((child, await EmptyAsync(child, ct).ConfigureAwait(false)));
                continue;
            }
            frames.Pop();
            _empty.Add(frame.Path); // behind all that were in it
            if (_empty.Count >= Together || frames.Count == 0) await RemoveEmptyAsync(ct).ConfigureAwait(false);
        }
    }

    // Deletes the files of a directory and gives its sub-directories.
    private async ValueTask<Stack<string>> EmptyAsync(string directory, CancellationToken ct)
    {
        var files = new List<string>();
        var children = new Stack<string>();
        try
        {
            await foreach (var entry in _session.ListAsync(directory, ct).ConfigureAwait(false))
            {
                // A name that leads elsewhere would delete elsewhere.
                if (ListedNames.Refuse(ListedNames.NameOf(directory, entry)) is not null) Log.NameRefused(_logger, directory, entry.Path);
                else if (entry.Type == RemoteEntryType.Directory) children.Push(entry.Path);
                else files.Add(entry.Path);
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            Note(e);
        }
        foreach (var some in files.Chunk(Together)) Note(await _session.DeleteFilesAsync(some, ct).ConfigureAwait(false));
        return children;
    }

    private async ValueTask RemoveEmptyAsync(CancellationToken ct)
    {
        Note(await _session.RemoveDirectoriesAsync([.. _empty], ct).ConfigureAwait(false));
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
