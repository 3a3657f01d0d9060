namespace Transfer.Ftp.Listing;

/// <summary>The first column of <c>ls -l</c>, and the octal form of the same bits.</summary>
internal static class UnixPermissions
{
    /// <summary>The type and nine permissions.</summary>
    public const int Length = 10;

    /// <summary>The type and the six permissions of owner and group: HylaFAX has no others.</summary>
    private const int ShortLength = 7;

    /// <summary>The type and eight permissions, of servers that count wrong: what each one means is unknown.</summary>
    public const int CutLength = 9;

    private const UnixFileMode AllBits = (UnixFileMode)0xFFF;

    /// <summary>
    /// Parses <c>drwxr-sr-t</c> at the start of a line, or <c>drwxr-s</c> or <c>drwxr-sr-</c> in front of a space.
    /// </summary>
    public static bool TryParse(ReadOnlySpan<char> line, out RemoteEntryType type, out UnixFileMode mode, out int length)
    {
        type = RemoteEntryType.Other;
        mode = UnixFileMode.None;
        length = EndsAt(line, ShortLength) ? ShortLength : EndsAt(line, CutLength) ? CutLength : Length;
        if (line.Length < length || !TryParseType(line[0], out type)) return false;
        var bits = 0;
        for (var i = 1; i < length; i++)
        {
            bits <<= 1;
            var c = line[i];
            if (c == '-') continue;
            switch ((i - 1) % 3)
            {
                case 0 when c == 'r':
                case 1 when c == 'w':
                case 2 when c == 'x':
                    bits |= 1;
                    break;
                // Upper case: the special bit is set, the execute bit is not. l and L are mandatory locking, a set-group-id bit without
                // execution.
                case 2 when c is 's' or 'S' && i < 9:
                    if (c == 's') bits |= 1;
                    mode |= i == 3 ? UnixFileMode.SetUser : UnixFileMode.SetGroup;
                    break;
                case 2 when c is 'l' or 'L' && i == 6:
                    mode |= UnixFileMode.SetGroup;
                    break;
                case 2 when c is 't' or 'T' && i == 9:
                    if (c == 't') bits |= 1;
                    mode |= UnixFileMode.StickyBit;
                    break;
                default:
                    return false;
            }
        }

        mode |= (UnixFileMode)(bits << (Length - length));
        return true;
    }

    /// <summary>Parses <c>644</c>, <c>0644</c> or <c>100644</c>; the type bits are dropped.</summary>
    public static bool TryParseOctal(ReadOnlySpan<char> digits, out UnixFileMode mode)
    {
        mode = UnixFileMode.None;
        if (digits.IsEmpty || digits.Length > 8) return false;
        var bits = 0;
        foreach (var c in digits)
        {
            if (c is < '0' or > '7') return false;
            bits = (bits << 3) | (c - '0');
        }

        mode = (UnixFileMode)bits & AllBits;
        return true;
    }

    private static bool EndsAt(ReadOnlySpan<char> line, int length) => line.Length > length && line[length] == ' ';

    private static bool TryParseType(char c, out RemoteEntryType type)
    {
        type = c switch
        {
            // a: append only (Plan 9).
            '-' or 'f' or 'a' => RemoteEntryType.File,
            'd' => RemoteEntryType.Directory,
            'l' => RemoteEntryType.Link,
            _ => RemoteEntryType.Other,
        };
        // Block and character device, pipe, socket, door, contiguous, migrated, network, port, whiteout, external link, unknown.
        return type != RemoteEntryType.Other || "bcpsDCMnPwe?".Contains(c, StringComparison.Ordinal);
    }
}
