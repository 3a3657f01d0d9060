using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>A deletion of many entries on one session.</summary>
/// <param name="session">The session.</param>
/// <param name="paths">The entries.</param>
/// <param name="ct">Cancels.</param>
internal delegate ValueTask<IReadOnlyList<TransferException?>> Deletion(
    TransferSession session, IReadOnlyList<string> paths, CancellationToken ct);

/// <summary>
/// Deletions that go on after their session was lost. Some of the entries may be deleted although no answer came: each is looked at before
/// the repetition, and an absent one counts as deleted.
/// </summary>
internal static class LostDeletions
{
    /// <summary>Returns an action on a session that may be run again after a loss.</summary>
    /// <param name="delete">Deletes.</param>
    /// <param name="paths">The entries.</param>
    public static Func<TransferSession, CancellationToken, ValueTask<IReadOnlyList<TransferException?>>> Repeatable(
        Deletion delete, IReadOnlyList<string> paths)
    {
        var hasBegun = false;
        return (session, ct) =>
        {
            if (hasBegun) return RepeatAsync(session, delete, paths, ct);
            hasBegun = true;
            return delete(session, paths, ct);
        };
    }

    /// <summary>Deletes the entries that are still there; returns an error or null for each, in order.</summary>
    public static async ValueTask<IReadOnlyList<TransferException?>> RepeatAsync(
        TransferSession session, Deletion delete, IReadOnlyList<string> paths, CancellationToken ct)
    {
        var looks = await session.GetEntriesAsync(paths, ct).ConfigureAwait(false);
        var left = Enumerable.Range(0, paths.Count).Where(i => !looks[i].IsAbsent).ToArray();
        var errors = new TransferException?[paths.Count];
        if (left.Length == 0) return errors;
        var outcomes = await delete(session, [.. left.Select(i => paths[i])], ct).ConfigureAwait(false);
        for (var i = 0; i < left.Length; i++) errors[left[i]] = outcomes[i] is { Error: TransferError.NotFound } ? null : outcomes[i];
        return errors;
    }
}
