namespace Transfer.Sftp.Session;

/// <summary>What only the server's name tells (its identification string, RFC 4253 section 4.2).</summary>
internal static class ServerSoftware
{
    /// <summary>A plain RENAME is a link and an unlink there, and never replaces a file.</summary>
    public static bool RenamesSafely(string? server) => Names(server, "OpenSSH");

    /// <summary>
    /// A WRITE may go anywhere. Azure's blobs are appended to only: it takes what comes in ascending order from the start, and refuses the rest. Everybody
    /// else writes to files.
    /// </summary>
    public static bool WritesAtOffset(string? server) => !Names(server, "AzureSSH");

    /// <summary>A handle is a number in four bytes: the one that was given back last, else the next, from 0. Requests are done one after the other.</summary>
    public static bool NumbersHandles(string? server) => Names(server, "OpenSSH_");

    /// <summary>
    /// Several channels of one connection may be used at once. mod_sftp keeps the part of a packet whose rest is still to come once a connection, not
    /// once a channel: what another channel brings between the two is taken for the rest, and neither is ever answered.
    /// </summary>
    public static bool KeepsChannelsApart(string? server) => !Names(server, "mod_sftp");

    /// <summary>READDIR and LSTAT show links as links, whatever they lead to. mod_sftp's LSTAT follows those to directories, and Windows has more kinds of links.</summary>
    public static bool ListsLinks(string? server) => Names(server, "OpenSSH") && !Names(server, "OpenSSH_for_Windows");

    // "SSH-2.0-software comments": the software's name and mostly its version.
    private static bool Names(string? server, string software)
    {
        if (server is null) return false;
        var text = server.AsSpan();
        if (text.StartsWith("SSH-", StringComparison.Ordinal) && text[4..].IndexOf('-') is >= 0 and var dash) text = text[(dash + 5)..];
        return text.StartsWith(software, StringComparison.OrdinalIgnoreCase);
    }
}
