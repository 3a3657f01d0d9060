namespace Transfer.Sessions;

/// <summary>
/// Looks behind deletions that a server has confirmed: some servers confirm them and delete nothing, or delete files alone. One object a
/// host, which remembers what is proved. Thread-safe.
/// </summary>
public sealed class ConfirmedDeletions
{
    private volatile bool _ofFiles;
    private volatile bool _ofDirectories;

    /// <summary>
    /// Looks at the first path with a confirmed deletion, which is almost always gone, and proves the server for that kind of entry. If the
    /// path is still there, all are looked at. Nothing is looked at once the kind is proved.
    /// </summary>
    /// <param name="ofDirectories">Whether the paths are directories; else files, links and the like.</param>
    /// <param name="paths">The paths.</param>
    /// <param name="errors">
    /// The errors of the deletions, in the order of the paths; null: confirmed. Receives those of confirmed ones that are still there.
    /// </param>
    /// <param name="look">Looks at paths; one outcome a path, in order.</param>
    /// <param name="withoutEffect">Returns the error of a path by index.</param>
    /// <param name="cancellationToken">Cancels.</param>
    public async ValueTask CheckAsync(
        bool ofDirectories, IReadOnlyList<string> paths, TransferException?[] errors,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<EntryOutcome>>> look,
        Func<int, TransferException> withoutEffect, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(errors);
        ArgumentNullException.ThrowIfNull(look);
        ArgumentNullException.ThrowIfNull(withoutEffect);
        if (ofDirectories ? _ofDirectories : _ofFiles) return;
        int[] confirmed = [.. Enumerable.Range(0, errors.Length).Where(i => errors[i] is null)];
        if (confirmed.Length == 0) return;
        var looks = await look([paths[confirmed[0]]], cancellationToken).ConfigureAwait(false);
        if (looks[0].Entry is not null)
            looks = await look([.. confirmed.Select(i => paths[i])], cancellationToken).ConfigureAwait(false);
        for (var at = 0; at < looks.Count; at++)
        {
            if (looks[at].Entry is not null) errors[confirmed[at]] = withoutEffect(confirmed[at]);
        }
        if (!looks.Any(outcome => outcome.IsAbsent)) return;
        if (ofDirectories) _ofDirectories = true;
        else _ofFiles = true;
    }
}
