namespace Transfer.Ftp.Listing;

/// <summary>
/// VShell: <c>size  Mon dd, yyyy hh:mm name</c>, a slash behind directories; and VxWorks:
/// <c>size  Mon-dd-yyyy  hh:mm:ss   name  &lt;DIR&gt;</c>.
/// </summary>
internal static class VShellFormat
{
    private const string DirectoryTag = "<DIR>";

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        return TryRead(line, context, ref listed);
    }

    private static bool TryRead(ReadOnlySpan<char> line, ListingContext context, ref ListedEntry listed)
    {
        var scanner = new FieldScanner(line);
        var field = scanner.Next();
        if (field is "size") return scanner.Next() is "date" && scanner.Next() is "time" && scanner.Next() is "name";
        if (!ListNumber.TryParse(field, out var length)) return false;
        var isJoined = scanner.Peek().Contains('-');
        if (isJoined)
        {
            if (!ListDate.TryParseNamed(scanner.Next(), out var date)) return false;
            if (!ListDate.TryParseTime(scanner.Next(), out var time, out _)) return false;
            listed.Modified = context.At(date, time);
            listed.Name = scanner.Rest.Trim(' ');
        }
        else
        {
            var comma = scanner;
            _ = comma.Next();
            if (!comma.Next().EndsWith(',') || !MonthNames.TryParse(scanner.Peek(), out _)) return false;
            if (!UnixDate.TryParse(ref scanner, context, ref listed) || scanner.Rest.Length < 2) return false;
            listed.Name = scanner.Rest[1..];
        }

        listed.Type = RemoteEntryType.File;
        if (isJoined && listed.Name.EndsWith(DirectoryTag)) MakeDirectory(ref listed, DirectoryTag.Length);
        else if (!isJoined && listed.Name.EndsWith('/')) MakeDirectory(ref listed, 1);
        else listed.Length = length;
        return !listed.Name.IsEmpty;
    }

    private static void MakeDirectory(ref ListedEntry listed, int mark)
    {
        listed.Type = RemoteEntryType.Directory;
        listed.Name = listed.Name[..^mark];
        if (mark > 1) listed.Name = listed.Name.TrimEnd(' ');
    }
}
