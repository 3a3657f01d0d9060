namespace Transfer.Ftp.Listing;

/// <summary>Lines as IIS and <c>dir</c> print them: date, time, <c>&lt;DIR&gt;</c> or a size, name.</summary>
internal static class WindowsFormat
{
    /// <summary>The width of the column that holds a tag, so that the name begins where a file's does.</summary>
    private const int TagColumn = 15;

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        if (IsFrame(line)) return true;
        if (line.IsEmpty || !char.IsAsciiDigit(line[0])) return false;
        var scanner = new FieldScanner(line);
        var dateField = scanner.Next();
        var order = dateField.Contains('.') ? DateOrder.DayFirst : DateOrder.MonthFirst;
        if (!ListDate.TryParse(dateField, order, out var date)) return false;
        var timeField = scanner.Next();
        var next = scanner.Peek();
        if (!timeField.Contains(':')) return false;
        if (next.Length is 2 && (next[0] | ' ') is 'a' or 'p' && (next[1] | ' ') == 'm')
        {
            _ = scanner.Next();
            Span<char> joined = stackalloc char[16];
            if (timeField.Length > joined.Length - 2) return false;
            timeField.CopyTo(joined);
            next.CopyTo(joined[timeField.Length..]);
            if (!TryParseTime(joined[..(timeField.Length + 2)], date, context, ref listed)) return false;
        }
        else if (!TryParseTime(timeField, date, context, ref listed))
        {
            return false;
        }

        var field = scanner.Next();
        if (!field.IsEmpty && field[0] == '<') return TryParseTagged(line, field, scanner.Rest, ref listed);
        if (!TryParseSize(field, out var length) || scanner.Rest.Length < 2) return false;
        listed.Type = RemoteEntryType.File;
        listed.Length = length;
        listed.Name = scanner.Rest[1..];
        return true;
    }

    /// <summary>
    /// Whether a line is one of those that <c>dir</c> prints above and below: the volume, the directory, counts of files and directories.
    /// </summary>
    private static bool IsFrame(ReadOnlySpan<char> line)
    {
        if (line.IsEmpty || line[0] != ' ') return false;
        var text = line.TrimStart(' ');
        if (text.StartsWith("Volume in drive ") || text.StartsWith("Volume Serial Number is ") || text.StartsWith("Directory of "))
            return true;
        var scanner = new FieldScanner(text);
        return TryParseSize(scanner.Next(), out _) && scanner.Next() is "File(s)" or "Dir(s)";
    }

    private static bool TryParseTime(scoped ReadOnlySpan<char> field, DateOnly date, ListingContext context, ref ListedEntry listed)
    {
        if (!ListDate.TryParseTime(field, out var time, out _)) return false;
        listed.Modified = context.At(date, time);
        return true;
    }

    private static bool TryParseTagged(ReadOnlySpan<char> line, ReadOnlySpan<char> tag, ReadOnlySpan<char> rest, ref ListedEntry listed)
    {
        if (tag.Length < 3 || tag[^1] != '>') return false;
        listed.Type = tag is "<DIR>" or "<dir>" ? RemoteEntryType.Directory
            : tag is "<JUNCTION>" or "<SYMLINKD>" or "<SYMLINK>" ? RemoteEntryType.Link
            : RemoteEntryType.Other;

        // With the well-known columns a name may begin with spaces; elsewhere the padding is unknown.
        var column = line.Length - rest.Length - tag.Length;
        var padding = TagColumn - tag.Length;
        listed.Name = column is 19 or 21 or 24 or 26 && padding >= 0 && rest.Length > padding && !rest[..padding].ContainsAnyExcept(' ')
            ? rest[padding..]
            : rest.TrimStart(' ');
        if (listed.Type == RemoteEntryType.Link && listed.Name.LastIndexOf(" [") is var bracket and > 0 && listed.Name[^1] == ']')
        {
            listed.Target = listed.Name[(bracket + 2)..^1];
            listed.Name = listed.Name[..bracket];
        }

        return !listed.Name.IsEmpty;
    }

    /// <summary>Digits, with separators of thousands (comma, dot) or without.</summary>
    private static bool TryParseSize(ReadOnlySpan<char> field, out long length)
    {
        length = 0;
        if (field.IsEmpty || !char.IsAsciiDigit(field[0]) || !char.IsAsciiDigit(field[^1])) return false;
        foreach (var c in field)
        {
            if (c is ',' or '.') continue;
            if (!char.IsAsciiDigit(c) || length > (long.MaxValue / 10) - 1) return false;
            length = (length * 10) + (c - '0');
        }

        return true;
    }
}
