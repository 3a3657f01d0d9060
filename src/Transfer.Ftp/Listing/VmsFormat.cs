namespace Transfer.Ftp.Listing;

/// <summary>
/// OpenVMS: <c>NAME.EXT;version used/allocated dd-MMM-yyyy hh:mm:ss [owner] (protection)</c>. Sizes are blocks of 512 bytes, so no length
/// is known. Names come without version (the server then takes the latest), directories without <c>.DIR</c>.
/// </summary>
internal static class VmsFormat
{
    private const string DirectoryExtension = ".DIR";

    /// <summary>Parses one line, or two joined ones.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        if (IsFrame(line)) return true;
        var scanner = new FieldScanner(line);
        if (!TryParseName(scanner.Next(), ref listed)) return false;
        var field = scanner.Next();
        // Only the name is shown when the attributes may not be read: %RMS-E-PRV, insufficient privilege…
        if (field.IsEmpty) return false;
        if (field[0] == '%' || field.Equals("no", StringComparison.OrdinalIgnoreCase)) return true;
        // Servers differ in the order of the columns: blocks, date, owner; owner, blocks, date; date, blocks.
        if (field[0] == '[' && field.EndsWith(']'))
        {
            listed.Owner = field[1..^1];
            field = scanner.Next();
        }

        if (IsBlocks(field)) field = scanner.Next();
        if (!TryParseDate(field, out var date)) return false;
        listed.Modified = ListDate.TryParseTime(scanner.Peek(), out var time, out _) ? context.At(date, time) : context.At(date);
        var open = scanner.Rest.IndexOf('[');
        var close = scanner.Rest.IndexOf(']');
        if (open >= 0 && close > open) listed.Owner = scanner.Rest[(open + 1)..close];
        return true;
    }

    /// <summary>Whether a line holds only a name: the rest was too wide and follows on the next.</summary>
    public static bool IsNameOnly(ReadOnlySpan<char> line)
    {
        var scanner = new FieldScanner(line);
        var listed = default(ListedEntry);
        return TryParseName(scanner.Next(), ref listed) && scanner.Next().IsEmpty;
    }

    /// <summary><c>Directory DISK:[PATH]</c> above, <c>Total of 3 files, 12 blocks</c> below.</summary>
    private static bool IsFrame(ReadOnlySpan<char> line) =>
        (line.StartsWith("Directory ", StringComparison.OrdinalIgnoreCase) && line.Contains('[') && line.Contains(']'))
        || line.StartsWith("Total of ", StringComparison.OrdinalIgnoreCase)
        || (line.StartsWith("Total ", StringComparison.OrdinalIgnoreCase) && IsFileCount(line[6..]))
        || line.StartsWith("Grand total of ", StringComparison.OrdinalIgnoreCase);

    private static bool IsFileCount(ReadOnlySpan<char> text) =>
        text.TrimEnd(' ') is var end && (end.EndsWith(" files") || end.EndsWith(" file"));

    private static bool TryParseName(ReadOnlySpan<char> field, ref ListedEntry listed)
    {
        var semicolon = field.LastIndexOf(';');
        if (semicolon < 1 || !ListNumber.IsDigits(field[(semicolon + 1)..])) return false;
        var name = field[..semicolon];
        listed.Type = RemoteEntryType.File;
        if (name.Length > DirectoryExtension.Length && name.EndsWith(DirectoryExtension, StringComparison.OrdinalIgnoreCase))
        {
            listed.Type = RemoteEntryType.Directory;
            name = name[..^DirectoryExtension.Length];
        }

        listed.Name = name;
        return true;
    }

    private static bool IsBlocks(ReadOnlySpan<char> field)
    {
        // A number too wide for its column.
        if (!field.IsEmpty && !field.ContainsAnyExcept('*')) return true;
        if (field.EndsWith("KB")) field = field[..^2];
        var slash = field.IndexOf('/');
        return slash < 0 ? ListNumber.IsDigits(field) : ListNumber.IsDigits(field[..slash]) && ListNumber.IsDigits(field[(slash + 1)..]);
    }

    private static bool TryParseDate(ReadOnlySpan<char> field, out DateOnly date)
    {
        date = default;
        var first = field.IndexOf('-');
        var last = field.LastIndexOf('-');
        return first is 1 or 2 && last > first && field.Length - last - 1 == 4
            && ListNumber.TryParseSmall(field[..first], out var day)
            && MonthNames.TryParse(field[(first + 1)..last], out var month)
            && ListNumber.TryParseSmall(field[(last + 1)..], out var year)
            && ListDate.TryCreate(year, month, day, out date);
    }
}
