namespace Transfer.PowerShell.Entries;

/// <summary>
/// Entries that are looked up by their names beside the pipeline, in the order of the names: a pipeline of names costs no round trip a
/// name.
/// </summary>
/// <param name="ct">Cancels.</param>
internal sealed class EntryLooks(CancellationToken ct)
{
    /// <summary>The number of names that are looked up at once.</summary>
    public const int Most = 256;

    private readonly Queue<(string Path, Task<RemoteEntry?> Look)> _looks = new();

    /// <summary>Whether all names have been taken.</summary>
    public bool IsEmpty => _looks.Count == 0;

    /// <summary>Begins to look a name up.</summary>
    public void Add(TransferClient client, string path) =>
        _looks.Enqueue((path, Task.Run(() => client.GetEntryAsync(path, ct).AsTask(), ct)));

    /// <summary>Takes the first name, if the answer is there or too many names wait. False: the answer is not there.</summary>
    /// <param name="all">Whether no more names come.</param>
    /// <param name="path">The name.</param>
    /// <param name="look">The answer.</param>
    public bool TryTake(bool all, out string path, out Task<RemoteEntry?> look)
    {
        var takes = _looks.TryPeek(out var first) && (all || first.Look.IsCompleted || _looks.Count >= Most);
        (path, look) = takes ? _looks.Dequeue() : first;
        return takes;
    }

    /// <summary>Waits for what is under way; the token has fired.</summary>
    public async Task EndAsync() =>
        await ((Task)Task.WhenAll(_looks.Select(look => look.Look))).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
}
