using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// Starts reading an archive's files in the system before their turn (readahead(2), Linux): a disk gets many requests for small files at
/// once, and the packer does not wait for one after the other. The files stay open until their turn, so that each is opened once, without a
/// lock. Only time is at stake: unreadable files are reported at their turn.
/// </summary>
internal sealed class FilesAhead : IDisposable
{
    /// <summary>The most files read ahead. With twice as many a disk in a cloud took as long.</summary>
    public const int Most = 16;

    // The system itself reads ahead in the rest of a longer file.
    private const int Beginning = 256 << 10;

    private readonly IReadOnlyList<PackItem> _items;
    private readonly LocalTreeReader _tree;
    private readonly OpenFiles _places;
    private readonly Queue<(int Turn, SafeFileHandle File)> _open = new();
    private int _next;

    /// <param name="items">The items to be packed, in this order.</param>
    /// <param name="tree">The folder.</param>
    /// <param name="places">The limit of open files; when exhausted, files are requested and closed again.</param>
    public FilesAhead(IReadOnlyList<PackItem> items, LocalTreeReader tree, OpenFiles places)
    {
        _items = items;
        _tree = tree;
        _places = places;
    }

    /// <summary>Raised for each file that was requested from the system; for tests.</summary>
    internal static event Action<string>? Requested;

    /// <summary>Begins the turn of an item: those behind are read meanwhile.</summary>
    /// <returns>The file, opened as by <see cref="Disk.Open(string)"/> and owned by the caller; null: still to be opened.</returns>
    public SafeFileHandle? Take(int turn)
    {
        if (!OperatingSystem.IsLinux()) return null;
        for (_next = Math.Max(_next, turn + 1); _next < _items.Count && _next <= turn + Most; _next++) RequestReadAhead(_next);
        while (_open.TryPeek(out var first) && first.Turn < turn) Close();
        if (!_open.TryPeek(out var own) || own.Turn != turn) return null;
        _places.Return();
        return _open.Dequeue().File;
    }

    /// <summary>Closes the files that had no turn.</summary>
    public void Dispose()
    {
        while (_open.Count > 0) Close();
    }

    private void RequestReadAhead(int turn)
    {
        var item = _items[turn];
        // An empty file needs no reading, and a delta's file was read a moment ago.
        if (item is not { Type: TarEntryType.File, Length: > 0, Delta: null } || item.IsNotNeeded) return;
        var path = _tree.PathOf(item.Path);
        if (Disk.Open(path) is not { } file) return;
        if (DiskFiles.TryReadAhead(file, item.Offset, Math.Min(item.Length, Beginning))) Requested?.Invoke(path);
        if (_places.TryTake(needed: false)) _open.Enqueue((turn, file));
        else file.Dispose();
    }

    private void Close()
    {
        _open.Dequeue().File.Dispose();
        _places.Return();
    }
}
