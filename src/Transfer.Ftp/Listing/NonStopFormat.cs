namespace Transfer.Ftp.Listing;

/// <summary>
/// HP NonStop (Guardian): <c>name code EOF dd-Mon-yy hh:mm:ss group,user "RWEP"</c>, with an <c>O</c> behind the code of an open file.
/// The end of file of a structured or an edited file is no number of bytes to transfer.
/// </summary>
internal static class NonStopFormat
{
    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var name = scanner.Next();
        var code = scanner.Next();
        if (name is "File" && code is "Code") return scanner.Next() is "EOF";
        if (!ListNumber.IsDigits(code) || name.IsEmpty) return false;
        var length = scanner.Next();
        if (length is "O") length = scanner.Next();
        if (!ListNumber.TryParse(length, out var bytes) || !ListDate.TryParseNamed(scanner.Next(), out var date)) return false;
        if (!ListDate.TryParseTime(scanner.Next(), out var time, out _)) return false;
        var owner = scanner.Rest;
        var quote = owner.IndexOf('"');
        if (quote < 0 || !owner.TrimEnd(' ').EndsWith('"')) return false;

        listed.Name = name;
        listed.Type = RemoteEntryType.File;
        (listed.Length, listed.IsLengthApproximate) = (bytes, true);
        listed.Modified = context.At(date, time);
        listed.Owner = owner[..quote].Trim(' ');
        return true;
    }
}
