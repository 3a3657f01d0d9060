namespace Transfer.Sessions;

/// <summary>
/// Looks behind changes that a server has confirmed: some servers confirm and change nothing, or delete files alone. One object a host,
/// which remembers what is proved. Thread-safe.
/// </summary>
public sealed class ConfirmedChanges
{
    private volatile bool _deletesFiles;
    private volatile bool _removesDirectories;
    private volatile bool _createsDirectories;

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
    public async ValueTask CheckDeletionsAsync(
        bool ofDirectories, IReadOnlyList<string> paths, TransferException?[] errors,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<EntryOutcome>>> look,
        Func<int, TransferException> withoutEffect, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(errors);
        ArgumentNullException.ThrowIfNull(look);
        ArgumentNullException.ThrowIfNull(withoutEffect);
        if (ofDirectories ? _removesDirectories : _deletesFiles) return;
        int[] confirmed = [.. Enumerable.Range(0, errors.Length).Where(i => errors[i] is null)];
        var looks = await JudgeAsync(paths, confirmed, outcome => outcome.Entry is not null, i => errors[i] = withoutEffect(i), look,
            cancellationToken).ConfigureAwait(false);
        if (!looks.Any(outcome => outcome.IsAbsent)) return;
        if (ofDirectories) _removesDirectories = true;
        else _deletesFiles = true;
    }

    /// <summary>
    /// Looks at the last directory whose creation is confirmed, in the same manner: proved once it is seen. The last, since those above may
    /// have existed before. A directory that could not be looked at counts as created.
    /// </summary>
    /// <param name="paths">The paths.</param>
    /// <param name="outcomes">
    /// The outcomes, in the order of the paths. Receives the errors of confirmed directories that do not exist.
    /// </param>
    /// <param name="look">Looks at paths; one outcome a path, in order.</param>
    /// <param name="withoutEffect">Returns the error of a path by index.</param>
    /// <param name="cancellationToken">Cancels.</param>
    public async ValueTask CheckDirectoriesAsync(
        IReadOnlyList<string> paths, DirectoryOutcome[] outcomes,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<EntryOutcome>>> look,
        Func<int, TransferException> withoutEffect, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(outcomes);
        ArgumentNullException.ThrowIfNull(look);
        ArgumentNullException.ThrowIfNull(withoutEffect);
        if (_createsDirectories) return;
        int[] confirmed = [.. Enumerable.Range(0, outcomes.Length).Where(i => outcomes[i].Created)];
        Array.Reverse(confirmed);
        var looks = await JudgeAsync(paths, confirmed, outcome => outcome.IsAbsent,
            i => outcomes[i] = new() { Error = withoutEffect(i) }, look, cancellationToken).ConfigureAwait(false);
        if (looks.Any(outcome => outcome.Entry is not null)) _createsDirectories = true;
    }

    // The first of the confirmed decides whether the rest is looked at.
    private static async ValueTask<IReadOnlyList<EntryOutcome>> JudgeAsync(IReadOnlyList<string> paths, int[] confirmed,
        Func<EntryOutcome, bool> isWithoutEffect, Action<int> fail,
        Func<IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<EntryOutcome>>> look, CancellationToken cancellationToken)
    {
        if (confirmed.Length == 0) return [];
        var looks = await look([paths[confirmed[0]]], cancellationToken).ConfigureAwait(false);
        if (isWithoutEffect(looks[0]) && confirmed.Length > 1)
            looks = await look([.. confirmed.Select(i => paths[i])], cancellationToken).ConfigureAwait(false);
        for (var at = 0; at < looks.Count; at++)
        {
            if (isWithoutEffect(looks[at])) fail(confirmed[at]);
        }
        return looks;
    }
}
