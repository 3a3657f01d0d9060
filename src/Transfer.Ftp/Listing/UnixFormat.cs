namespace Transfer.Ftp.Listing;

/// <summary>Lines in the form of <c>ls -l</c>: most servers, on any system.</summary>
internal static class UnixFormat
{
    private const string Arrow = " -> ";

    /// <summary>Parses one line. The name is everything behind the one space that follows the date.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        // Some servers indent every line.
        line = line.TrimStart(' ');
        if (!UnixPermissions.TryParse(line, out var type, out var mode, out var length))
        {
            if (IsSpooled(line)) return TryParseSpooled(line, context, out listed);
            // The inode's number and the blocks, of ls -i and -s.
            var numbered = SkipNumbers(line);
            if (numbered.Length == line.Length || !UnixPermissions.TryParse(numbered, out type, out mode, out length)) return false;
            line = numbered;
        }

        var tail = line[length..];
        // An access control list, a security context, extended attributes.
        if (!tail.IsEmpty && tail[0] is '+' or '.' or '@') tail = tail[1..];
        if (tail.IsEmpty || !(tail[0] is ' ' or '\t' || char.IsAsciiDigit(tail[0]))) return false;
        if (!UnixTail.TryParse(tail, context, ref listed) || listed.Name.Length < 2) return false;

        listed.Name = listed.Name[1..];
        listed.Type = type;
        if (length != UnixPermissions.CutLength) listed.Mode = mode;
        if (type == RemoteEntryType.Other) listed.Length = null;
        if (type != RemoteEntryType.Link) return true;

        var arrow = listed.Name.IndexOf(Arrow);
        if (arrow <= 0) return true;
        listed.Target = listed.Name[(arrow + Arrow.Length)..];
        listed.Name = listed.Name[..arrow];
        return true;
    }

    private static ReadOnlySpan<char> SkipNumbers(ReadOnlySpan<char> line)
    {
        var scanner = new FieldScanner(line);
        if (!ListNumber.IsDigits(scanner.Next())) return line;
        if (ListNumber.IsDigits(scanner.Peek())) _ = scanner.Next();
        return scanner.Rest.TrimStart(' ');
    }

    /// <summary>Whether a line is one of Connect:Enterprise: flags in place of permissions, with the protocol behind.</summary>
    private static bool IsSpooled(ReadOnlySpan<char> line) =>
        line.Length > UnixPermissions.Length + 3 && line[0] == '-' && line[UnixPermissions.Length..].StartsWith("FTP ");

    private static bool TryParseSpooled(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        _ = scanner.Next();
        // The format of the batch: A, B.
        _ = scanner.Next();
        if (!UnixTail.TryParse(scanner.Rest, context, ref listed) || listed.Name.Length < 2) return false;
        listed.Name = listed.Name[1..];
        listed.Type = RemoteEntryType.File;
        return true;
    }

    /// <summary>Whether a line is <c>total 48</c>, on the first line in any language: a word of letters and a number.</summary>
    public static bool IsTotal(ReadOnlySpan<char> line, bool first)
    {
        var scanner = new FieldScanner(line);
        var word = scanner.Next();
        var number = scanner.Next();
        if (number.IsEmpty) return false;
        if (word.Equals("total", StringComparison.OrdinalIgnoreCase)) return true;
        if (!first || !scanner.Next().IsEmpty || !ListNumber.IsDigits(number)) return false;
        foreach (var c in word)
        {
            if (!char.IsLetter(c) && !char.IsSurrogate(c)) return false;
        }

        return true;
    }
}
