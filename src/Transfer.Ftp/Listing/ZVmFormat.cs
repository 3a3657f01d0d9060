namespace Transfer.Ftp.Listing;

/// <summary>
/// z/VM. Minidisks and SFS directories: <c>name type F|V lrecl records blocks date time owner</c>, <c>name DIR - - - - date time -</c>.
/// The byte file system: <c>mm/dd/yyyy hh:mm:ss type links bytes 'name'</c>. A file is called <c>name.type</c> in commands.
/// </summary>
internal static class ZVmFormat
{
    private const int LongestName = 8;

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        return TryRead(line, context, ref listed);
    }

    private static bool TryRead(ReadOnlySpan<char> line, ListingContext context, ref ListedEntry listed)
    {
        var scanner = new FieldScanner(line);
        var name = scanner.Next();
        if (name.Contains('/')) return TryParsePath(line, context, ref listed);
        var type = scanner.Next();
        var format = scanner.Next();
        if (name.IsEmpty || name.Length > LongestName + 8 || type.Length > LongestName || format is not ("F" or "V" or "-")) return false;
        var isDirectory = format is "-" && type is "DIR";
        if (format is "-" && !isDirectory) return false;
        var record = scanner.Next();
        var count = scanner.Next();
        if (!IsCount(record, isDirectory) || !IsCount(count, isDirectory) || !IsCount(scanner.Next(), isDirectory)) return false;
        if (!TryParseTime(ref scanner, context, ref listed)) return false;
        listed.Owner = scanner.Next();
        if (listed.Owner is "-") listed.Owner = default;
        listed.Type = isDirectory ? RemoteEntryType.Directory : RemoteEntryType.File;
        listed.Name = isDirectory ? name : string.Concat(name, ".", type);
        // Records of variable length end before the given one, and a text has line ends besides.
        if (format is "F" && ListNumber.TryParseSmall(record, out var one) && ListNumber.TryParseSmall(count, out var many))
            (listed.Length, listed.IsLengthApproximate) = ((long)one * many, true);
        return true;
    }

    private static bool TryParsePath(ReadOnlySpan<char> line, ListingContext context, ref ListedEntry listed)
    {
        var scanner = new FieldScanner(line);
        if (!TryParseTime(ref scanner, context, ref listed)) return false;
        var type = scanner.Next();
        if (type.Length != 1 || !char.IsAsciiLetterUpper(type[0])) return false;
        var links = scanner.Next();
        var bytes = scanner.Next();
        if (!IsCount(links, links is "-") || !IsCount(bytes, bytes is "-")) return false;
        var name = scanner.Rest.Trim(' ');
        if (name.Length > 2 && name[0] == '\'' && name[^1] == '\'') name = name[1..^1];
        if (name.IsEmpty) return false;
        listed.Type = type is "D" ? RemoteEntryType.Directory : type is "F" ? RemoteEntryType.File
            : type is "L" or "S" ? RemoteEntryType.Link : RemoteEntryType.Other;
        if (listed.Type == RemoteEntryType.File && ListNumber.TryParse(bytes, out var length)) listed.Length = length;
        listed.Name = name;
        return true;
    }

    private static bool TryParseTime(scoped ref FieldScanner scanner, ListingContext context, ref ListedEntry listed)
    {
        var field = scanner.Next();
        if (field.Count('-') != 2 && field.Count('/') != 2) return false;
        if (!NumericDate.TryParse(field, DateOrders.YearLast, DateOrders.MonthFirst, out var date)) return false;
        var clock = scanner.Next();
        if (!clock.Contains(':') || !ListDate.TryParseTime(clock, out var time, out _)) return false;
        listed.SetModified(date with { Time = time }, context);
        return true;
    }

    private static bool IsCount(ReadOnlySpan<char> field, bool isMissing) => isMissing ? field is "-" : ListNumber.IsDigits(field);
}
