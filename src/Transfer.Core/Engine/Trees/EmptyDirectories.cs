using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>Removes directories after all listed entries have been deleted.</summary>
internal static class EmptyDirectories
{
    /// <summary>
    /// Removes the directories. When one is refused, links that listings do not name are deleted, and a second try follows.
    /// </summary>
    /// <param name="session">The session.</param>
    /// <param name="root">The directory above all of them.</param>
    /// <param name="paths">The directories, children before parents.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>One entry a path, as of <see cref="TransferSession.RemoveDirectoriesAsync"/>.</returns>
    public static async ValueTask<IReadOnlyList<TransferException?>> RemoveAsync(TransferSession session, string root,
        IReadOnlyList<string> paths, CancellationToken ct)
    {
        TransferException?[] outcomes = [.. await session.RemoveDirectoriesBelowAsync(root, paths, ct).ConfigureAwait(false)];
        var removed = new List<string>();
        for (var i = 0; i < outcomes.Length; i++)
        {
            if (outcomes[i] is null or { Error: TransferError.NotFound }) continue;
            var links = await session.FindHiddenLinksAsync(paths[i], ct).ConfigureAwait(false);
            // A directory that was refused because of a child may be empty once that child is removed.
            if (links.Count == 0 && !removed.Exists(below => below.StartsWith(paths[i] + "/", StringComparison.Ordinal))) continue;
            if (links.Count > 0) await session.DeleteFilesBelowAsync(root, links, ct).ConfigureAwait(false);
            outcomes[i] = (await session.RemoveDirectoriesBelowAsync(root, [paths[i]], ct).ConfigureAwait(false))[0];
            if (outcomes[i] is null) removed.Add(paths[i]);
        }
        return outcomes;
    }
}
