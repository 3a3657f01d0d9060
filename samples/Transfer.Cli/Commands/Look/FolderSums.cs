using Transfer.Cli.Output;

namespace Transfer.Cli.Commands.Look;

/// <summary>The sums of the files in a folder and in each folder below.</summary>
/// <param name="kept">The folders, which are kept as far as memory goes.</param>
internal sealed class FolderSums(KeptEntries kept)
{
    private readonly Dictionary<string, (long Bytes, long Files)> _sums = new(StringComparer.Ordinal) { [string.Empty] = default };
    private int? _start;

    /// <summary>Adds an entry in the order of a recursive listing: the first one is in the folder itself.</summary>
    public void Add(RemoteEntry entry)
    {
        _start ??= entry.Path.Length - entry.Name.Length;
        var path = entry.Path[_start.Value..];
        if (entry.Type == RemoteEntryType.Directory)
        {
            kept.Add(entry);
            _sums.TryAdd(path, default);
        }

        if (entry.Type != RemoteEntryType.File) return;
        do
        {
            path = path[..Math.Max(0, path.LastIndexOf('/'))];
            var (bytes, files) = _sums.GetValueOrDefault(path);
            _sums[path] = (bytes + (entry.Length ?? 0), files + 1);
        }
        while (path.Length > 0);
    }

    /// <summary>The sums by path, the folder itself last.</summary>
    /// <param name="depth">The levels below the folder itself; null: all.</param>
    public IEnumerable<FolderSum> Read(int? depth) =>
        _sums.Where(sum => depth is null || Depth(sum.Key) <= depth)
            .OrderBy(sum => sum.Key.Length == 0).ThenBy(sum => sum.Key, StringComparer.Ordinal)
            .Select(sum => new FolderSum(sum.Key.Length == 0 ? "." : sum.Key, sum.Value.Bytes, sum.Value.Files));

    private static int Depth(string path) => path.Length == 0 ? 0 : path.Count(c => c == '/') + 1;
}
