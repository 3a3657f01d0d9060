namespace Transfer.Ftp.Listing;

/// <summary>
/// IBM i (OS/400): <c>owner size date time *TYPE name</c>, without size and date for members, and without owner for
/// anonymous users. Dates have the form of the server's job; directories end with a slash.
/// </summary>
internal static class IbmIFormat
{
    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var field = scanner.Next();
        // Anonymous users see no owner, and some objects have no size.
        if (!field.IsEmpty && !char.IsAsciiDigit(field[0]) && field[0] != '*')
        {
            listed.Owner = field;
            field = scanner.Next();
        }

        if (ListNumber.TryParse(field, out var length))
        {
            // Objects other than stream files show their allocated space.
            (listed.Length, listed.IsLengthApproximate) = (length, true);
            field = scanner.Next();
            if (!TryParseDate(field, out _)) return false;
        }

        if (TryParseDate(field, out var date))
        {
            if (!ListDate.TryParseTime(scanner.Next(), out var time, out _)) return false;
            listed.SetModified(date with { Time = time }, context);
            field = scanner.Next();
        }

        var name = scanner.Rest.TrimStart(' ');
        if (!IsObjectType(field) || name.IsEmpty) return false;
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

    /// <summary>Parses a date in the form of the server's job: any order, but day first with dots.</summary>
    private static bool TryParseDate(ReadOnlySpan<char> field, out NumericDate date)
    {
        date = default;
        var isDotted = field.Count('.') == 2;
        return (isDotted || field.Count('/') == 2 || field.Count('-') == 2)
            && NumericDate.TryParse(
                field, isDotted ? DateOrders.YearLast : DateOrders.Any, isDotted ? DateOrders.DayFirst : DateOrders.None, out date);
    }
}
