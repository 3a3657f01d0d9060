using Transfer.Ftp.Listing;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Session;

/// <summary>
/// The <c>unique</c> facts of one directory (RFC 3659 7.5.2): its own, those of the directories above, and those of its entries. A server
/// that follows links gives a link the identity of its target.
/// </summary>
internal sealed class FtpIdentities
{
    /// <summary>The most directories of one listing with kept identities.</summary>
    private const int Most = 1_000_000;

    private readonly Dictionary<string, string> _children = new(StringComparer.Ordinal);
    private readonly Dictionary<string, List<string>> _holders = new(StringComparer.Ordinal);
    private readonly HashSet<string> _above = new(StringComparer.Ordinal);
    private string? _own;

    /// <summary>Adds a line of the directory's own MLSD listing.</summary>
    public void AddLine(ReadOnlySpan<char> line)
    {
        if (!MlsxParser.TryParse(line, out var listed, out var kind) || listed.Unique.IsEmpty) return;
        if (kind == MlsxKind.Current) _own = listed.Unique.ToString();
        if (kind != MlsxKind.Name || listed.Type != RemoteEntryType.Directory || _children.Count >= Most) return;
        var unique = listed.Unique.ToString();
        var name = listed.Name.ToString();
        if (!_children.TryAdd(name, unique)) return;
        if (_holders.TryGetValue(unique, out var names)) names.Add(name);
        else _holders[unique] = [name];
    }

    /// <summary>Adds the reply to MLST of the directory itself.</summary>
    public void AddOwn(FtpReply reply) => _own ??= UniqueOf(reply);

    /// <summary>Adds the reply to MLST of a directory above.</summary>
    public void AddAbove(FtpReply reply)
    {
        if (UniqueOf(reply) is { } unique) _above.Add(unique);
    }

    /// <summary>Whether the entry is a link: identical with this directory or one above.</summary>
    public bool IsLink(string name) => _children.TryGetValue(name, out var unique) && (unique == _own || _above.Contains(unique));

    /// <summary>The other entries with the same identity: only one of them all can be a directory, the rest are links.</summary>
    public IEnumerable<string> EntriesWithSameIdentity(string name) =>
        _children.TryGetValue(name, out var unique) ? _holders[unique].Where(other => other != name) : [];

    private static string? UniqueOf(FtpReply reply)
    {
        foreach (var line in reply.IsSuccess ? reply.Lines.Skip(1) : [])
        {
            if (MlsxParser.TryParse(line.AsSpan().TrimStart(' '), out var listed, out _) && !listed.Unique.IsEmpty)
                return listed.Unique.ToString();
        }
        return null;
    }
}
