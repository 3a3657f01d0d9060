using System.Diagnostics.CodeAnalysis;
using Transfer.Ftp.Protocol;

namespace Transfer.Ftp.Listing;

/// <summary>
/// Parses lines of MLSD and MLST: <c>fact=value;…; pathname</c> (RFC 3659 7). Facts come in any case and order; unknown ones are ignored.
/// </summary>
internal static class MlsxParser
{
    private const string OsUnix = "OS.unix=";

    /// <summary>
    /// Parses one line; those of MLST may begin with a space. The entry's path is <paramref name="directory"/> and the name, or the
    /// unchanged pathname when that is a path (<see cref="MlsxKind.Path"/>).
    /// </summary>
    public static bool TryParse(ReadOnlySpan<char> line, string directory, [NotNullWhen(true)] out RemoteEntry? entry, out MlsxKind kind)
    {
        entry = null;
        if (!TryParse(line, out var listed, out kind)) return false;
        var name = listed.Name.ToString();
        entry = listed.ToEntry(kind == MlsxKind.Name ? RemotePath.Combine(directory, name) : name);
        return true;
    }

    /// <summary>Parses one line into spans of that line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, out ListedEntry listed, out MlsxKind kind)
    {
        listed = default;
        kind = MlsxKind.Name;
        var space = FindEndOfFacts(line);
        var indented = line.TrimStart(' ');
        if (space == 0 && FindEndOfFacts(indented) is var next and > 0 && indented[next - 1] == ';')
        {
            line = indented;
            space = next;
        }

        // A tab in place of the space.
        var tab = line.IndexOf(";\t");
        if (tab >= 0 && (space < 0 || space > tab)) space = tab + 1;
        if (space < 0 || space == line.Length - 1) return false;
        var facts = line[..space];
        listed.Name = line[(space + 1)..];
        var state = new Facts();
        while (!facts.IsEmpty)
        {
            var semicolon = facts.IndexOf(';');
            var fact = semicolon < 0 ? facts : facts[..semicolon];
            facts = semicolon < 0 ? default : facts[(semicolon + 1)..];
            var equals = fact.IndexOf('=');
            // Without a type the entry may be anything.
            if (equals <= 0 || equals == fact.Length - 1 && Is(fact[..equals], "type")) return false;
            Apply(fact[..equals], fact[(equals + 1)..], ref listed, ref state);
        }

        if (!state.HasType) listed.Type = state.IsDirectoryByPermission ? RemoteEntryType.Directory : RemoteEntryType.File;
        kind = state.Kind;
        if (kind == MlsxKind.Name && listed.Name.Contains('/')) kind = MlsxKind.Path;
        return true;
    }

    /// <summary>Finds the name in a line with an empty type; empty: the line has a type, or no name.</summary>
    public static ReadOnlySpan<char> FindUntypedName(ReadOnlySpan<char> line)
    {
        var space = FindEndOfFacts(line);
        if (space <= 0) return default;
        foreach (var range in line[..space].Split(';'))
        {
            if (line[range].Equals("type=", StringComparison.OrdinalIgnoreCase)) return line[(space + 1)..];
        }

        return default;
    }

    /// <summary>Whether the facts of a line permit listing its directory: <c>l</c> in <c>perm</c> (RFC 3659 7.5.5).</summary>
    public static bool MayBeListed(ReadOnlySpan<char> line) => TryFindPermissions(line, out var perm) && perm.ContainsAny('l', 'L');

    /// <summary>Whether the facts of a line say that its directory cannot be entered: no <c>e</c> in <c>perm</c>.</summary>
    public static bool IsClosed(ReadOnlySpan<char> line) => TryFindPermissions(line, out var perm) && !perm.ContainsAny('e', 'E');

    private static bool TryFindPermissions(ReadOnlySpan<char> line, out ReadOnlySpan<char> perm)
    {
        perm = default;
        foreach (var range in line.Split(';'))
        {
            var fact = line[range];
            if (fact.StartsWith(' ')) break;
            if (!fact.StartsWith("perm=", StringComparison.OrdinalIgnoreCase)) continue;
            perm = fact[5..];
            return true;
        }
        return false;
    }

    /// <summary>Finds the first space; when a link's target has spaces, the one behind the facts' last semicolon.</summary>
    private static int FindEndOfFacts(ReadOnlySpan<char> line)
    {
        var space = line.IndexOf(' ');
        if (space <= 0 || line[space - 1] == ';') return space;
        var end = line.IndexOf("; ");
        return end < 0 ? space : end + 1;
    }

    private static void Apply(ReadOnlySpan<char> fact, ReadOnlySpan<char> value, ref ListedEntry listed, ref Facts state)
    {
        if (Is(fact, "size") || Is(fact, "sizd"))
        {
            if (ListNumber.TryParse(value, out var length)) listed.Length = length;
        }
        else if (Is(fact, "modify"))
        {
            if (FtpTime.TryParse(value, out var modified)) listed.Modified = modified;
        }
        else if (Is(fact, "create"))
        {
            if (FtpTime.TryParse(value, out var created)) listed.Created = created;
        }
        else if (Is(fact, "type"))
        {
            ApplyType(value, ref listed, ref state);
        }
        else if (Is(fact, "perm"))
        {
            // e: may be entered, l: may be listed. Only directories have either (RFC 3659 7.5.5).
            state.IsDirectoryByPermission = value.ContainsAny("eElL");
        }
        else if (Is(fact, "unique"))
        {
            listed.Unique = value;
        }
        else if (Is(fact, "UNIX.mode"))
        {
            if (UnixPermissions.TryParseOctal(value, out var mode)) listed.Mode = mode;
        }
        else
        {
            var groupRank = Is(fact, "UNIX.groupname") ? 3 : Is(fact, "UNIX.group") ? 2 : Is(fact, "UNIX.gid") ? 1 : 0;
            if (groupRank > state.GroupRank && !value.IsEmpty)
            {
                state.GroupRank = groupRank;
                listed.Group = value;
            }
            // A name is better than a number, and UNIX.owner may be either.
            var rank = Is(fact, "UNIX.ownername") ? 3 : Is(fact, "UNIX.owner") ? 2 : Is(fact, "UNIX.uid") ? 1 : 0;
            if (rank <= state.OwnerRank || value.IsEmpty) return;
            state.OwnerRank = rank;
            listed.Owner = value;
        }
    }

    private static void ApplyType(ReadOnlySpan<char> value, ref ListedEntry listed, ref Facts state)
    {
        state.HasType = true;
        listed.Type = RemoteEntryType.Directory;
        if (Is(value, "dir")) return;
        if (Is(value, "cdir"))
        {
            state.Kind = MlsxKind.Current;
        }
        else if (Is(value, "pdir"))
        {
            state.Kind = MlsxKind.Parent;
        }
        else if (Is(value, "file"))
        {
            listed.Type = RemoteEntryType.File;
        }
        else
        {
            listed.Type = RemoteEntryType.Other;
            if (!value.StartsWith(OsUnix, StringComparison.OrdinalIgnoreCase)) return;
            value = value[OsUnix.Length..];
            var colon = value.IndexOf(':');
            var kind = colon < 0 ? value : value[..colon];
            if (!Is(kind, "slink") && !Is(kind, "symlink")) return;
            listed.Type = RemoteEntryType.Link;
            if (colon >= 0) listed.Target = value[(colon + 1)..];
        }
    }

    private static bool Is(ReadOnlySpan<char> text, string word) => text.Equals(word, StringComparison.OrdinalIgnoreCase);

    private struct Facts
    {
        public MlsxKind Kind;
        public bool HasType;
        public bool IsDirectoryByPermission;
        public int OwnerRank;
        public int GroupRank;
    }
}
