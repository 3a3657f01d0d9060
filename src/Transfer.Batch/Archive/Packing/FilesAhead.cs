using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>
/// Has the system begin to read an archive's files before their turn (readahead(2), Linux): a disk is asked for many small files at once, and the packer does not wait for one after
/// the other. It is about time only: nothing stays open or locked, and what can't be read is told of in its turn.
/// </summary>
internal sealed class FilesAhead
{
    /// <summary>So many files. With twice as many a disk in a cloud took as long.</summary>
    public const int Most = 16;

    // What follows in a longer file the system reads ahead by itself.
    private const int Beginning = 256 << 10;

    private readonly IReadOnlyList<PackItem> _items;
    private readonly LocalTree _tree;
    private int _next;

    /// <param name="items">What is packed, in this order.</param>
    /// <param name="tree">The folder.</param>
    public FilesAhead(IReadOnlyList<PackItem> items, LocalTree tree)
    {
        _items = items;
        _tree = tree;
    }

    /// <summary>Hears of each file that the system was asked for; for tests.</summary>
    internal static event Action<string>? Asked;

    /// <summary>The turn of an item has come: those behind it are read meanwhile.</summary>
    public void ReadBehind(int turn)
    {
        if (!OperatingSystem.IsLinux()) return;
        for (_next = Math.Max(_next, turn + 1); _next < _items.Count && _next <= turn + Most; _next++) Ask(_items[_next]);
    }

    private void Ask(PackItem item)
    {
        // Nobody waits for what is empty, and a delta's file was read a moment ago.
        if (item is not { Type: TarEntryType.File, Length: > 0, Delta: null } || item.IsOver) return;
        var path = _tree.PathOf(item.Path);
        // Not as .NET opens it, which locks it.
        using var handle = Disk.Open(path);
        if (handle is not null && ReadAhead(handle, item.Offset, (nuint)Math.Min(item.Length, Beginning)) == 0) Asked?.Invoke(path);
    }

    [DllImport("libc", EntryPoint = "readahead")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint ReadAhead(SafeFileHandle file, long offset, nuint count);
}
