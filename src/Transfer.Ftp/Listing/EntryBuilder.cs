using System.Buffers;

namespace Transfer.Ftp.Listing;

/// <summary>
/// Turns parsed lines into entries of one directory. Drops names that cannot be entries: <c>.</c> and <c>..</c>, paths (joined to a local
/// folder, they would point outside), and names that no command could carry.
/// </summary>
internal sealed class EntryBuilder
{
    private static readonly SearchValues<char> NotInNames = SearchValues.Create("/\0\r\n");

    private readonly string _prefix;
    private string? _owner;
    private string? _group;

    /// <summary>Creates a builder for a directory's listing.</summary>
    public EntryBuilder(string directory) => _prefix = RemotePath.Combine(directory, string.Empty);

    /// <summary>The number of names dropped as unusable.</summary>
    public int Dropped { get; private set; }

    /// <summary>Returns the entry; null: dropped.</summary>
    /// <param name="listed">The parsed line.</param>
    /// <param name="namesMembers">Whether the format names members as <c>FILE/MEMBER</c> (IBM i).</param>
    public RemoteEntry? Build(in ListedEntry listed, bool namesMembers = false)
    {
        var name = listed.Name;
        // ls -F marks directories.
        if (listed.Type == RemoteEntryType.Directory && name.Length > 1 && name[^1] == '/') name = name[..^1];
        // Some servers list full paths: /dir/name in the listing of /dir is name.
        if (_prefix.Length > 0 && name.Length > _prefix.Length && name[0] == '/' && name.StartsWith(_prefix)) name = name[_prefix.Length..];
        if (namesMembers && IsMember(name) && !TryTakeMember(ref name)) return null;
        if (name is "." or "..") return null;
        if (name.IsEmpty || name.ContainsAny(NotInNames))
        {
            Dropped++;
            return null;
        }

        return listed.ToEntry(string.Concat(_prefix, name), Known(ref _owner, listed.Owner), Known(ref _group, listed.Group));
    }

    private static bool IsMember(ReadOnlySpan<char> name) => name.Count('/') == 1 && name[0] != '/' && name[^1] != '/';

    // A member of another file is listed where that file is, which is a directory of its own.
    private bool TryTakeMember(ref ReadOnlySpan<char> name)
    {
        var slash = name.IndexOf('/');
        var file = name[..slash];
        var isHere = _prefix.AsSpan().TrimEnd('/').EndsWith(file, StringComparison.OrdinalIgnoreCase)
            && _prefix.Length >= file.Length + 2 && _prefix[^(file.Length + 2)] == '/';
        if (isHere) name = name[(slash + 1)..];
        return isHere;
    }

    /// <summary>Reuses the string of the entry before: most entries have the same owner and group.</summary>
    private static string? Known(ref string? before, ReadOnlySpan<char> text)
    {
        if (text.IsEmpty) return null;
        if (before is null || !text.SequenceEqual(before)) before = text.ToString();
        return before;
    }
}
