using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// Passes on the requested entries of a tar stream: files under names that were listed, with the lengths and times of the listing.
/// Everything else that a host may send is skipped.
/// </summary>
internal sealed class ListedFiles : ITarTarget
{
    private readonly ITarTarget _inner;
    private readonly Dictionary<string, ListedFile> _missing;
    private bool _isAsked;

    /// <param name="inner">Receives the requested entries.</param>
    /// <param name="files">The files of the listing.</param>
    public ListedFiles(ITarTarget inner, IEnumerable<ListedFile> files)
    {
        _inner = inner;
        _missing = [];
        foreach (var file in files) _missing.TryAdd(file.Path, file);
    }

    /// <summary>The files that have not arrived.</summary>
    public IReadOnlyCollection<string> Missing => _missing.Keys;

    public void Begin(TarEntry entry)
    {
        var path = entry.Path.StartsWith("./", StringComparison.Ordinal) ? entry.Path[2..] : entry.Path;
        // A host's tar sends files whole: slices and deltas are entries of the SDK's own packer, with contents that are no file's.
        _isAsked = entry is { Type: TarEntryType.File, Slice: null, Delta: null } && _missing.TryGetValue(path, out var listed)
            && listed.Is(entry.Length, entry.Modified) && _missing.Remove(path);
        if (_isAsked) _inner.Begin(entry with { Path = path });
    }

    public void Write(ReadOnlySpan<byte> content)
    {
        if (_isAsked) _inner.Write(content);
    }

    public void End()
    {
        if (_isAsked) _inner.End();
    }

    public void Invalidate(long ordinal)
    {
        // Only the SDK's own packer would send this, which is not used here.
    }
}
