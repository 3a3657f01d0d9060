namespace Transfer.Ftp.Listing;

/// <summary>Easily Parsed LIST Format: <c>+fact,fact,…,TAB name</c>. Times are seconds since 1970, UTC.</summary>
internal static class EplfFormat
{
    private static readonly long Earliest = DateTimeOffset.MinValue.ToUnixTimeSeconds();
    private static readonly long Latest = DateTimeOffset.MaxValue.ToUnixTimeSeconds();

    /// <summary>Parses one line.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, out ListedEntry listed)
    {
        listed = default;
        if (line.IsEmpty || line[0] != '+') return false;
        var tab = line.IndexOf('\t');
        if (tab < 0 || tab == line.Length - 1) return false;

        // Neither r nor /: the file is not readable, and a download will bring the server's reason.
        listed.Type = RemoteEntryType.File;
        listed.Name = line[(tab + 1)..];
        var facts = line[1..tab];
        while (!facts.IsEmpty)
        {
            var comma = facts.IndexOf(',');
            var fact = comma < 0 ? facts : facts[..comma];
            facts = comma < 0 ? default : facts[(comma + 1)..];
            if (!fact.IsEmpty) Apply(fact, ref listed);
        }

        return true;
    }

    private static void Apply(ReadOnlySpan<char> fact, ref ListedEntry listed)
    {
        switch (fact[0])
        {
            case '/' when fact.Length == 1:
                listed.Type = RemoteEntryType.Directory;
                break;
            case 's' when ListNumber.TryParse(fact[1..], out var length):
                listed.Length = length;
                break;
            case 'm' when ListNumber.TryParse(fact[1..], out var seconds) && seconds >= Earliest && seconds <= Latest:
                listed.Modified = DateTimeOffset.FromUnixTimeSeconds(seconds);
                break;
            case 'u' when fact.Length > 2 && fact[1] == 'p' && UnixPermissions.TryParseOctal(fact[2..], out var mode):
                listed.Mode = mode;
                break;
        }
    }
}
