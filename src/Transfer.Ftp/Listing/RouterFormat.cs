namespace Transfer.Ftp.Listing;

/// <summary>Nortel routers: <c>name  size  mm/dd/yy  Day.  hh:mm:ss</c>.</summary>
internal static class RouterFormat
{
    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var name = scanner.Next();
        if (name.IsEmpty || !ListNumber.TryParse(scanner.Next(), out var length)) return false;
        var field = scanner.Next();
        if (field.Count('/') != 2 || !NumericDate.TryParse(field, DateOrders.YearLast, DateOrders.MonthFirst, out var date)) return false;
        var day = scanner.Next();
        if (day.Length is < 3 or > 6 || !char.IsAsciiLetterUpper(day[0]) || !day.EndsWith('.')) return false;
        if (!ListDate.TryParseTime(scanner.Next(), out var time, out _) || !scanner.Next().IsEmpty) return false;
        listed.Name = name;
        listed.Type = RemoteEntryType.File;
        listed.Length = length;
        listed.SetModified(date with { Time = time }, context);
        return true;
    }
}
