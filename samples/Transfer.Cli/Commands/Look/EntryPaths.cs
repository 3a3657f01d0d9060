namespace Transfer.Cli.Commands.Look;

/// <summary>Paths of a folder's entries relative to the folder.</summary>
internal sealed class EntryPaths
{
    private int? _start;

    /// <summary>Takes entries in the order of their listing: the first one is in the folder itself.</summary>
    public async IAsyncEnumerable<RemoteEntry> NoteAsync(IAsyncEnumerable<RemoteEntry> entries)
    {
        await foreach (var entry in entries)
        {
            _start ??= entry.Path.Length - entry.Name.Length;
            yield return entry;
        }
    }

    /// <summary>The path of an entry relative to the folder.</summary>
    public string Of(RemoteEntry entry) => entry.Path[_start.GetValueOrDefault()..];
}
