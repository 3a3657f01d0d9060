using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>The files of archives that were authentic, and refused as a whole, for the report if the archives never arrive again.
/// Thread-safe.</summary>
internal sealed class RefusedArchives
{
    // The limit of all paths together. The files of archives beyond are not reported by name.
    private const int MostCharacters = 4 << 20;

    private readonly Lock _gate = new();
    private readonly Dictionary<long, string[]> _files = [];
    private long _characters;

    public void Add(long index, IEnumerable<Incoming> entries)
    {
        string[] paths = [.. entries.Where(incoming => incoming.Entry.Type != TarEntryType.Directory && !incoming.IsInvalid)
            .Select(incoming => incoming.Entry.Path)];
        lock (_gate)
        {
            Forget(index);
            var characters = Count(paths);
            if (_characters + characters > MostCharacters) return;
            _characters += characters;
            _files.Add(index, paths);
        }
    }

    /// <summary>Removes an archive that has arrived.</summary>
    public void Remove(long index)
    {
        lock (_gate) Forget(index);
    }

    /// <summary>The files of an archive; none: they are not known.</summary>
    public IReadOnlyList<string> FilesOf(long index)
    {
        lock (_gate) return _files.GetValueOrDefault(index) ?? [];
    }

    // Called under the lock.
    private void Forget(long index)
    {
        if (_files.Remove(index, out var paths)) _characters -= Count(paths);
    }

    private static long Count(string[] paths) => paths.Sum(path => (long)path.Length);
}
