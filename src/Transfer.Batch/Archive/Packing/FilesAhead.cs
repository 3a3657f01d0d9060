using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// Has the system begin to read an archive's files before their turn (readahead(2), Linux): a disk is asked for many small files at once, and the packer does not wait for one after
/// the other. They stay open until then, so that each is opened once, and nothing locks them. It is about time only: what can't be read is told of in its turn.
/// </summary>
internal sealed class FilesAhead : IDisposable
{
    /// <summary>So many files. With twice as many a disk in a cloud took as long.</summary>
    public const int Most = 16;

    // What follows in a longer file the system reads ahead by itself.
    private const int Beginning = 256 << 10;

    private readonly IReadOnlyList<PackItem> _items;
    private readonly LocalTreeReader _tree;
    private readonly OpenFiles _places;
    private readonly Queue<(int Turn, SafeFileHandle File)> _open = new();
    private int _next;

    /// <param name="items">What is packed, in this order.</param>
    /// <param name="tree">The folder.</param>
    /// <param name="places">Each is open until its turn; where none is left, they are asked for without.</param>
    public FilesAhead(IReadOnlyList<PackItem> items, LocalTreeReader tree, OpenFiles places)
    {
        _items = items;
        _tree = tree;
        _places = places;
    }

    /// <summary>Hears of each file that the system was asked for; for tests.</summary>
    internal static event Action<string>? Asked;

    /// <summary>The turn of an item has come: those behind it are read meanwhile.</summary>
    /// <returns>It, as <see cref="Disk.Open(string)"/> opens it, and the caller's; null: it is still to be opened.</returns>
    public SafeFileHandle? Take(int turn)
    {
        if (!OperatingSystem.IsLinux()) return null;
        for (_next = Math.Max(_next, turn + 1); _next < _items.Count && _next <= turn + Most; _next++) Ask(_next);
        while (_open.TryPeek(out var first) && first.Turn < turn) Close();
        if (!_open.TryPeek(out var own) || own.Turn != turn) return null;
        _places.Return();
        return _open.Dequeue().File;
    }

    /// <summary>Closes those whose turn does not come.</summary>
    public void Dispose()
    {
        while (_open.Count > 0) Close();
    }

    private void Ask(int turn)
    {
        var item = _items[turn];
        // Nobody waits for what is empty, and a delta's file was read a moment ago.
        if (item is not { Type: TarEntryType.File, Length: > 0, Delta: null } || item.IsOver) return;
        var path = _tree.PathOf(item.Path);
        if (Disk.Open(path) is not { } file) return;
        if (DiskFiles.TryReadAhead(file, item.Offset, Math.Min(item.Length, Beginning))) Asked?.Invoke(path);
        if (_places.TryTake(needed: false)) _open.Enqueue((turn, file));
        else file.Dispose();
    }

    private void Close()
    {
        _open.Dequeue().File.Dispose();
        _places.Return();
    }
}
