namespace Transfer.Ftp.Listing;

/// <summary>Unix facts in numbers: <c>0100644 uid gid size seconds name</c>, seconds since 1970, UTC.</summary>
internal static class NumericUnixFormat
{
    private const int TypeBits = 0xF000;

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, out ListedEntry listed)
    {
        listed = default;
        var scanner = new FieldScanner(line);
        var bits = scanner.Next();
        if (bits.Length is not (6 or 7) || !UnixPermissions.TryParseOctal(bits, out var mode)) return false;
        var type = 0;
        foreach (var c in bits) type = (type << 3) | (c - '0');
        var owner = scanner.Next();
        var group = scanner.Next();
        if (!ListNumber.IsDigits(owner) || !ListNumber.IsDigits(group)) return false;
        if (!ListNumber.TryParse(scanner.Next(), out var length)) return false;
        var time = scanner.Next();
        if (time.Length > 11 || !ListNumber.TryParse(time, out var seconds)) return false;
        listed.Name = scanner.Rest.TrimStart(' ');
        listed.Type = (type & TypeBits) switch
        {
            0x8000 => RemoteEntryType.File,
            0x4000 => RemoteEntryType.Directory,
            0xA000 => RemoteEntryType.Link,
            _ => RemoteEntryType.Other,
        };
        listed.Mode = mode;
        listed.Owner = owner;
        listed.Group = group;
        if (listed.Type == RemoteEntryType.File) listed.Length = length;
        listed.Modified = DateTimeOffset.FromUnixTimeSeconds(seconds);
        return !listed.Name.IsEmpty;
    }
}
