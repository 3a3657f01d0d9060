using System.Buffers;

namespace Transfer.Ftp.Listing;

/// <summary>Novell NetWare: <c>d [RWCEAFMS] owner size date name</c>, the letters being rights.</summary>
internal static class NetWareFormat
{
    private static readonly SearchValues<char> Rights = SearchValues.Create("RWCEAFMS-_ ");

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, ListingContext context, out ListedEntry listed)
    {
        listed = default;
        if (line.IsEmpty || line[0] is not ('d' or '-')) return false;
        var rights = line[1..].TrimStart(' ');
        var close = rights.IndexOf(']');
        if (close < 2 || rights[0] != '[' || rights[1..close].ContainsAnyExcept(Rights)) return false;
        if (!UnixTail.TryParse(rights[(close + 1)..], context, ref listed)) return false;

        listed.Type = line[0] == 'd' ? RemoteEntryType.Directory : RemoteEntryType.File;
        // The name's column is padded, and the old name spaces have no leading spaces.
        listed.Name = listed.Name.TrimStart(' ');
        return !listed.Name.IsEmpty;
    }
}
