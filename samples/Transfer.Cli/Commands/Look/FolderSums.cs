using Transfer.Cli.Output;
using Transfer.Companions;

namespace Transfer.Cli.Commands.Look;

/// <summary>The sums of the files in a folder and in each folder below.</summary>
/// <param name="kept">The folders, which are kept as far as memory goes.</param>
internal sealed class FolderSums(KeptEntries kept)
{
    private readonly Dictionary<string, (long Bytes, long Files)> _sums = new(StringComparer.Ordinal) { [string.Empty] = default };

    /// <summary>The number of files that the server lists without a length; the sums lack them.</summary>
    public long FilesWithoutLength { get; private set; }

    /// <summary>Adds an entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="path">The path relative to the folder.</param>
    public void Add(RemoteEntry entry, string path)
    {
        if (entry.Type == RemoteEntryType.Directory)
        {
            kept.Add(entry);
            _sums.TryAdd(path, default);
        }

        if (entry.Type != RemoteEntryType.File) return;
        if (entry.Length is null) FilesWithoutLength++;
        do
        {
            path = path[..Math.Max(0, path.LastIndexOf('/'))];
            var (bytes, files) = _sums.GetValueOrDefault(path);
            _sums[path] = (LengthSum.Add(bytes, entry.Length ?? 0), files + 1);
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
