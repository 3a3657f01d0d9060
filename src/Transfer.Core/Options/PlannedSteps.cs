namespace Transfer;

/// <summary>
/// The steps of a plan that one synchronization applies. A step that sends, and whose entry the source does not have any more, is a
/// failure: a source that is not there looks like an empty one. No entry is deleted without a step. Thread-safe.
/// </summary>
internal sealed class PlannedSteps
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, PlannedItem> _open = [];
    private readonly Dictionary<string, PlannedItem> _deletions = [];
    private readonly Dictionary<string, TransferException> _unread = [];
    private readonly HashSet<string> _refused = [];

    /// <param name="items">The steps.</param>
    /// <param name="lost">See <see cref="Lost"/>.</param>
    public PlannedSteps(IEnumerable<PlannedItem> items, long lost)
    {
        Lost = lost;
        foreach (var item in items)
        {
            (item.Action == ItemAction.Delete ? _deletions : _open)[item.Path] = item;
        }
    }

    /// <summary>The files that earlier steps of the plan could not send: as their own failures, they hold deletions back.</summary>
    public long Lost { get; }

    /// <summary>Closes the step of an entry that the source has.</summary>
    /// <param name="path">The path relative to the job's folder.</param>
    /// <param name="type">The kind of entry.</param>
    public void Meet(string path, RemoteEntryType type)
    {
        lock (_gate)
        {
            if (_open.TryGetValue(path, out var step) && IsOf(step, type)) _open.Remove(path);
        }
    }

    /// <summary>Returns the step that deletes an entry; null: none does.</summary>
    /// <param name="path">The path relative to the job's folder.</param>
    public PlannedItem? DeletionOf(string path) => _deletions.GetValueOrDefault(path);

    /// <summary>Notes why a directory of the source, or a part of it, is not known.</summary>
    public void NoteUnread(string directory, TransferException error)
    {
        lock (_gate) _unread.TryAdd(directory, error);
    }

    /// <summary>Notes that an entry cannot be at the target, a failure of its own: none of the steps below is missing.</summary>
    public void NoteRefused(string path)
    {
        lock (_gate) _refused.Add(path);
    }

    /// <summary>Returns the steps without an entry at the source, with the reason, once the source is read.</summary>
    public IReadOnlyDictionary<string, TransferException> Missing()
    {
        lock (_gate)
        {
            var missing = new Dictionary<string, TransferException>(_open.Count);
            foreach (var path in _open.Keys)
            {
                if (WhyMissing(path) is { } error) missing.Add(path, error);
            }
            return missing;
        }
    }

    // A link may lead to either kind.
    private static bool IsOf(PlannedItem step, RemoteEntryType type) =>
        type == RemoteEntryType.Link || type != RemoteEntryType.Other
            && (type == RemoteEntryType.Directory) == (step.Type == RemoteEntryType.Directory);

    // Null: the step is not missing.
    private TransferException? WhyMissing(string path)
    {
        for (var above = path; above.Length > 0;)
        {
            above = above[..Math.Max(0, above.LastIndexOf('/'))];
            if (_refused.Contains(above)) return null;
            if (_unread.TryGetValue(above, out var error)) return error;
        }
        return new TransferException(TransferError.NotFound,
            $"{path} was planned, and is not at the source any more. If that is right, a new plan leaves it out.");
    }
}
