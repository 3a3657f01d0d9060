namespace Transfer.Ftp.Listing;

/// <summary>OS/2: <c>size [attributes|DIR] mm-dd-yy hh:mm  name</c>, the year having three digits from 2000 on in some versions.</summary>
internal static class Os2Format
{
    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        if (!ListNumber.TryParse(scanner.Next(), out var length)) return false;
        var field = scanner.Next();
        listed.Type = RemoteEntryType.File;
        while (!field.IsEmpty && char.IsAsciiLetterUpper(field[0]))
        {
            if (field is "DIR") listed.Type = RemoteEntryType.Directory;
            else if (field.ContainsAnyExcept("RHSA")) return false;
            field = scanner.Next();
        }

        if (field.Count('-') != 2 || !NumericDate.TryParse(field, DateOrders.YearLast, DateOrders.MonthFirst, out var date)) return false;
        if (!ListDate.TryParseTime(scanner.Next(), out var time, out _)) return false;
        listed.SetModified(date with { Time = time }, context);
        if (listed.Type == RemoteEntryType.File) listed.Length = length;
        // Two spaces are the column's, more belong to the name.
        scanner.SkipSpaces(2);
        listed.Name = scanner.Rest;
        return !listed.Name.IsEmpty;
    }
}
