using System.Globalization;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// A line of MLSD or MLST: facts, a space, the name (RFC 3659 section 7.2). FluentFTP's own parser drops links and other types, whose
/// names then look absent.
/// </summary>
internal static class MlsdLine
{
    /// <summary>Returns the entry of a line; null for an invalid line, or for the listed directory or its parent.</summary>
    /// <param name="line">The line, without the line end.</param>
    /// <param name="directory">The listed directory.</param>
    /// <param name="isUnderstood">False: the line is no line of facts.</param>
    public static RemoteEntry? Parse(string line, string directory, out bool isUnderstood)
    {
        isUnderstood = false;
        var space = line.IndexOf(' ', StringComparison.Ordinal);
        if (space < 0 || space == line.Length - 1) return null;
        var facts = Facts(line[..space]);
        if (!facts.TryGetValue("type", out var type)) return null;
        isUnderstood = true;
        if (type.ToUpperInvariant() is "CDIR" or "PDIR") return null;
        // Links' types end with where they lead: OS.unix=slink:/target.
        var colon = type.IndexOf(':', StringComparison.Ordinal);
        return new RemoteEntry
        {
            Path = RemotePath.Combine(directory, line[(space + 1)..]),
            Type = TypeOf(colon < 0 ? type : type[..colon]),
            LinkTarget = colon < 0 || colon == type.Length - 1 ? null : type[(colon + 1)..],
            Length = LengthOf(facts.GetValueOrDefault("size")),
            Modified = facts.TryGetValue("modify", out var modified) ? FtpTime.Parse(modified) : null,
            Created = facts.TryGetValue("create", out var created) ? FtpTime.Parse(created) : null,
            Mode = facts.TryGetValue("unix.mode", out var mode) ? ModeOf(mode) : null,
            Owner = facts.GetValueOrDefault("unix.ownername") ?? facts.GetValueOrDefault("unix.owner"),
            Group = facts.GetValueOrDefault("unix.groupname") ?? facts.GetValueOrDefault("unix.group"),
        };
    }

    /// <summary>
    /// Whether a line is the listed directory's own and says that it cannot be entered: no <c>e</c> in <c>perm</c> (RFC 3659 section
    /// 7.5.5).
    /// </summary>
    public static bool IsClosed(string line)
    {
        var facts = Facts(line[..Math.Max(0, line.IndexOf(' ', StringComparison.Ordinal))]);
        return facts.TryGetValue("type", out var type) && type.Equals("cdir", StringComparison.OrdinalIgnoreCase)
            && facts.TryGetValue("perm", out var perm) && !perm.Contains('e', StringComparison.OrdinalIgnoreCase);
    }

    private static Dictionary<string, string> Facts(string text)
    {
        var facts = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var fact in text.Split(';', StringSplitOptions.RemoveEmptyEntries))
        {
            var equals = fact.IndexOf('=', StringComparison.Ordinal);
            if (equals > 0) facts[fact[..equals]] = fact[(equals + 1)..];
        }
        return facts;
    }

    private static RemoteEntryType TypeOf(string type) => type.ToUpperInvariant() switch
    {
        "FILE" => RemoteEntryType.File,
        "DIR" => RemoteEntryType.Directory,
        "LINK" or "SLINK" or "SYMLINK" or "OS.UNIX=LINK" or "OS.UNIX=SLINK" or "OS.UNIX=SYMLINK" => RemoteEntryType.Link,
        _ => RemoteEntryType.Other,
    };

    private static long? LengthOf(string? size) =>
        long.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out var length) ? length : null;

    private static UnixFileMode? ModeOf(string octal)
    {
        var mode = 0;
        foreach (var digit in octal)
        {
            if (digit is < '0' or > '7') return null;
            mode = (mode << 3) + (digit - '0');
            if (mode > 0xFFFF) return null;
        }
        return octal.Length == 0 ? null : (UnixFileMode)(mode & 0xFFF);
    }
}
