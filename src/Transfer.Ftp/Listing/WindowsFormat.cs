namespace Transfer.Ftp.Listing;

/// <summary>Lines as IIS and <c>dir</c> print them: date, time, <c>&lt;DIR&gt;</c> or a size, name.</summary>
internal static class WindowsFormat
{
    /// <summary>The width of the column that holds a tag, so that the name begins where a file's does.</summary>
    private const int TagColumn = 15;

    /// <summary>Where the sizes end, unless they are wider.</summary>
    private const int EndOfSizes = 38;

    /// <summary>Parses one line.</summary>
    /// <param name="line">The line.</param>
    /// <param name="context">The clock.</param>
    /// <param name="isTakeCommand">
    /// Whether a line so far was one of Take Command, which has no zeros in front of a date, and two spaces before a tag and a name.
    /// </param>
    /// <param name="listed">The entry.</param>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, ref bool isTakeCommand, out ListedEntry listed)
    {
        listed = default;
        if (IsFrame(line)) return true;
        if (line.TrimStart(' ') is not [>= '0' and <= '9', ..]) return false;
        var scanner = new FieldScanner(line);
        var dateField = scanner.Next();
        var isDotted = dateField.Contains('.');
        if (dateField.Count('-') + dateField.Count('/') + dateField.Count('.') != 2) return false;
        if (!ListDate.TryParseClock(ref scanner, out var time, out var isGlued)) return false;
        // IIS prints 09:24AM and the month first, on systems in any language.
        var usual = isDotted ? DateOrders.DayFirst : isGlued && dateField.Contains('-') ? DateOrders.MonthFirst : DateOrders.None;
        if (!NumericDate.TryParse(dateField, GetAllowed(dateField), usual, out var date)) return false;
        listed.SetModified(date with { Time = time }, context);

        var isApart = !isGlued && !char.IsAsciiDigit(line[line.Length - scanner.Rest.Length - 1]);
        isTakeCommand |= line[0] == ' ' || scanner.Rest is [' ', ' ', '<', ..];
        var field = scanner.Next();
        if (!field.IsEmpty && field[0] == '<') return TryParseTagged(line, field, scanner.Rest, ref listed);
        if (!TryParseSize(field, out var length) || scanner.Rest.Length < 2) return false;
        listed.Type = RemoteEntryType.File;
        listed.Length = length;
        // Without another line, columns tell Take Command from cmd, which has PM apart, too.
        var isOther = isTakeCommand || (isApart && line.Length - scanner.Rest.Length != EndOfSizes);
        if (isOther && scanner.Rest is [' ', ' ', ..]) scanner.SkipSpaces(1);
        listed.Name = scanner.Rest[1..];
        return !listed.Name.IsWhiteSpace();
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
        if (!TryParseSize(scanner.Next(), out _)) return false;
        var counted = scanner.Next();
        return counted is "File(s)" or "Dir(s)"
            || (counted is "file" or "files" or "directory" or "directories" && text.Contains(" bytes", StringComparison.Ordinal));
    }

    /// <summary>The orders that a date may have: two digits in front are a year only where they are no day.</summary>
    private static DateOrders GetAllowed(ReadOnlySpan<char> date) =>
        NumericDate.TryParse(date, DateOrders.YearLast, DateOrders.None, out _) ? DateOrders.YearLast : DateOrders.Any;

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
