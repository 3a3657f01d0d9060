using FluentFTP;
using FluentFTP.Helpers;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// Lines of LIST and STAT, by FluentFTP's parser for the server, or the application's own. The parser cuts blanks off the ends of names;
/// they are restored here.
/// </summary>
internal sealed class ListLine
{
    // Permissions, owner, group, size, month, day, time; most servers print the number of links too. The parser takes a time for the name
    // where the name is blank.
    private const int FewestFields = 7;

    private readonly AsyncFtpClient _client;
    private readonly FtpListParser _parser;

    /// <param name="client">The client, connected.</param>
    public ListLine(AsyncFtpClient client)
    {
        _client = client;
        _parser = new FtpListParser(client);
        var asked = client.Config.ListingParser;
        // For a server with MLSD FluentFTP chooses the MLSD parser.
        _parser.Init(client.ServerOS, asked == FtpParser.Machine ? FtpParser.Auto : asked);
    }

    /// <summary>Returns the entry of a line; null for a line without one, or for the listed directory or its parent.</summary>
    /// <param name="line">The line, without the line end.</param>
    /// <param name="directory">The listed directory.</param>
    /// <param name="isUnderstood">False: the line may name an entry.</param>
    public RemoteEntry? Parse(string line, string directory, out bool isUnderstood)
    {
        // The first line of ls.
        isUnderstood = line.StartsWith("total ", StringComparison.Ordinal);
        if (isUnderstood) return null;
        FtpListItem? item;
        try
        {
            item = _parser.ParseSingleLine(directory, line, _client.Capabilities, isMachineList: false);
        }
        catch (Exception e) when (e is FormatException or ArgumentException or IndexOutOfRangeException or NullReferenceException
            or OverflowException)
        {
            // The parsers rely on fields that a line need not have: such a line is reported as a gap.
            return null;
        }
        if (item?.Name is not { Length: > 0 } trimmed || Whole(trimmed, line, item.Type) is not { } name) return null;
        if (name.Contains('/', StringComparison.Ordinal)) return null;
        isUnderstood = true;
        if (name is "." or "..") return null;
        var mode = ModeOf(item);
        return new RemoteEntry
        {
            Path = RemotePath.Combine(directory, name),
            Type = TypeOf(item.Type),
            Length = item.Type == FtpObjectType.File && item.Size >= 0 ? item.Size : null,
            Modified = item.RawModified == DateTime.MinValue ? null : ToUtc(item.RawModified),
            Mode = mode,
            Owner = item.RawOwner,
            Group = item.RawGroup,
            LinkTarget = item.LinkTarget,
        };
    }

    // Restores the blanks that the parser cuts off the name's ends, where one blank separates name and time, as in ls; null when the line
    // has another form.
    private static string? Whole(string trimmed, string line, FtpObjectType type)
    {
        if (type == FtpObjectType.Link)
        {
            var name = $" {trimmed} -> ";
            return line.Contains(name, StringComparison.Ordinal) && !line.Contains(" " + name, StringComparison.Ordinal) ? trimmed : null;
        }
        if (line[0] is not ('-' or 'd')) return line.EndsWith(" " + trimmed, StringComparison.Ordinal) ? trimmed : null;
        var start = line.TrimEnd().Length - trimmed.Length;
        if (start < 2 || !line.AsSpan(start).StartsWith(trimmed)) return null;
        var blanks = start;
        while (blanks > 0 && char.IsWhiteSpace(line[blanks - 1])) blanks--;
        return blanks < start && CountFields(line.AsSpan(0, blanks)) >= FewestFields ? line[(blanks + 1)..] : null;
    }

    private static int CountFields(ReadOnlySpan<char> text)
    {
        var count = 0;
        for (var i = 0; i < text.Length; i++)
        {
            if (!char.IsWhiteSpace(text[i]) && (i == 0 || char.IsWhiteSpace(text[i - 1]))) count++;
        }
        return count;
    }

    private static RemoteEntryType TypeOf(FtpObjectType type) => type switch
    {
        FtpObjectType.Directory => RemoteEntryType.Directory,
        FtpObjectType.Link => RemoteEntryType.Link,
        _ => RemoteEntryType.File,
    };

    private DateTimeOffset ToUtc(DateTime time) =>
        new(TimeZoneInfo.ConvertTimeToUtc(DateTime.SpecifyKind(time, DateTimeKind.Unspecified), _client.Config.ServerTimeZone));

    private static UnixFileMode? ModeOf(FtpListItem item)
    {
        if (item.RawPermissions is null) return null;
        var (special, owner) = ((int)item.SpecialPermissions, (int)item.OwnerPermissions);
        return (UnixFileMode)((special << 9) | (owner << 6) | ((int)item.GroupPermissions << 3) | (int)item.OthersPermissions);
    }
}
