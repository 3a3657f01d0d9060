namespace Transfer.Ftp.Listing;

/// <summary>
/// IBM i (OS/400): <c>owner size date time *TYPE name</c>, without size and date for members. Dates are <c>yy/mm/dd</c>, or in the
/// form of the server's job; directories end with a slash.
/// </summary>
internal static class IbmIFormat
{
    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var owner = scanner.Next();
        var field = scanner.Next();
        if (field.IsEmpty) return false;
        if (field[0] != '*')
        {
            if (!ListNumber.TryParse(field, out var length)) return false;
            // Objects other than stream files show their allocated space.
            (listed.Length, listed.IsLengthApproximate) = (length, true);
            if (!TryParseDate(scanner.Next(), context, out var date) || !ListDate.TryParseTime(scanner.Next(), out var time, out _))
                return false;
            listed.Modified = context.At(date, time);
            field = scanner.Next();
        }

        var name = scanner.Rest.TrimStart(' ');
        if (!IsObjectType(field) || name.IsEmpty) return false;
        listed.Owner = owner;
        listed.Type = GetEntryType(field, name);
        listed.Name = name.Length > 1 && name[^1] == '/' ? name[..^1] : name;
        return true;
    }

    private static bool IsObjectType(ReadOnlySpan<char> field)
    {
        if (field.Length < 3 || field[0] != '*') return false;
        return !field[1..].ContainsAnyExceptInRange('A', 'Z');
    }

    private static RemoteEntryType GetEntryType(ReadOnlySpan<char> type, ReadOnlySpan<char> name)
    {
        if (name[^1] == '/' || type is "*DIR" or "*DDIR" or "*LIB" or "*FLR") return RemoteEntryType.Directory;
        // In the naming of the integrated file system a FILE holds members (MBR); elsewhere a FILE is a file.
        if (type is "*FILE")
            return name.EndsWith(".FILE", StringComparison.OrdinalIgnoreCase) ? RemoteEntryType.Directory : RemoteEntryType.File;
        if (type is "*STMF" or "*DSTMF" or "*MEM" or "*DOC") return RemoteEntryType.File;
        return type is "*SYMLNK" ? RemoteEntryType.Link : RemoteEntryType.Other;
    }

    /// <summary>Parses a date, year first unless that gives an impossible or a future date.</summary>
    private static bool TryParseDate(ReadOnlySpan<char> field, ListingContext context, out DateOnly date)
    {
        if (field.Contains('.')) return ListDate.TryParse(field, DateOrder.DayFirst, out date);
        var tomorrow = DateOnly.FromDateTime(context.Now.ToOffset(context.Offset).DateTime).AddDays(1);
        if (ListDate.TryParse(field, DateOrder.YearFirst, out date) && date <= tomorrow) return true;
        return ListDate.TryParse(field, DateOrder.MonthFirst, out var monthFirst) && (date = monthFirst) != default;
    }
}
