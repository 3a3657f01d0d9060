namespace Transfer.Ftp.Listing;

/// <summary>
/// Microware OS-9: <c>group.user yy/mm/dd hhmm dsewrewr sector bytes name</c>, the attributes being those of others, then of the owner.
/// </summary>
internal static class Os9Format
{
    private const string Letters = "dsewrewr";

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var owner = scanner.Next();
        if (line.StartsWith("Directory of ")) return true;
        if (owner is "Owner") return line.TrimEnd(' ').EndsWith("Name") && line.Contains("Attributes", StringComparison.Ordinal);
        var dot = owner.IndexOf('.');
        if (dot < 1 || !ListNumber.IsDigits(owner[..dot]) || !ListNumber.IsDigits(owner[(dot + 1)..])) return false;
        var day = scanner.Next();
        if (day.Count('/') != 2 || !ListDate.TryParse(day, DateOrders.YearFirst, out var date)) return false;
        var clock = scanner.Next();
        if (clock.Length != 4 || !ListNumber.TryParseSmall(clock, out var time) || time / 100 > 23 || time % 100 > 59) return false;
        if (!TryParseAttributes(scanner.Next(), out var mode, out var isDirectory)) return false;
        if (scanner.Next().IsEmpty || !ListNumber.TryParse(scanner.Next(), out var length) || scanner.Rest.Length < 2) return false;

        listed.Type = isDirectory ? RemoteEntryType.Directory : RemoteEntryType.File;
        listed.Owner = owner;
        listed.Mode = mode;
        listed.Length = length;
        listed.Modified = context.At(date, new TimeSpan(time / 100, time % 100, 0));
        listed.Name = scanner.Rest[1..];
        return true;
    }

    private static bool TryParseAttributes(ReadOnlySpan<char> field, out UnixFileMode mode, out bool isDirectory)
    {
        (mode, isDirectory) = (UnixFileMode.None, false);
        if (field.Length != Letters.Length) return false;
        for (var i = 0; i < field.Length; i++)
        {
            if (field[i] == '-') continue;
            if (field[i] != Letters[i]) return false;
            isDirectory |= i == 0;
            mode |= i switch
            {
                2 => UnixFileMode.OtherExecute,
                3 => UnixFileMode.OtherWrite,
                4 => UnixFileMode.OtherRead,
                5 => UnixFileMode.UserExecute,
                6 => UnixFileMode.UserWrite,
                7 => UnixFileMode.UserRead,
                _ => UnixFileMode.None,
            };
        }

        return true;
    }
}
