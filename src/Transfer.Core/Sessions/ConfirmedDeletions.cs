namespace Transfer.Sessions;

/// <summary>Looks behind deletions that a server has confirmed: some servers confirm them and delete nothing.</summary>
public static class ConfirmedDeletions
{
    /// <summary>
    /// Looks at the first path with a confirmed deletion, which is almost always gone, and proves the server. If that is still there, all
    /// are looked at.
    /// </summary>
    /// <param name="paths">The paths.</param>
    /// <param name="errors">
    /// The errors of the deletions, in the order of the paths; null: confirmed. Receives those of confirmed ones that are still there.
    /// </param>
    /// <param name="look">Looks at paths; one outcome a path, in order.</param>
    /// <param name="withoutEffect">Returns the error of a path by index.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>Whether a path is seen to be gone. Else nothing is proved.</returns>
    public static async ValueTask<bool> CheckAsync(
        IReadOnlyList<string> paths, TransferException?[] errors,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<EntryOutcome>>> look,
        Func<int, TransferException> withoutEffect, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(errors);
        ArgumentNullException.ThrowIfNull(look);
        ArgumentNullException.ThrowIfNull(withoutEffect);
        int[] confirmed = [.. Enumerable.Range(0, errors.Length).Where(i => errors[i] is null)];
        if (confirmed.Length == 0) return false;
        var looks = await look([paths[confirmed[0]]], cancellationToken).ConfigureAwait(false);
        if (looks[0].Entry is not null)
            looks = await look([.. confirmed.Select(i => paths[i])], cancellationToken).ConfigureAwait(false);
        for (var at = 0; at < looks.Count; at++)
        {
            if (looks[at].Entry is not null) errors[confirmed[at]] = withoutEffect(confirmed[at]);
        }
        return looks.Any(outcome => outcome.IsAbsent);
    }
}
