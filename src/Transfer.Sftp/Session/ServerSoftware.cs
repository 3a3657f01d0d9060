namespace Transfer.Sftp.Session;

/// <summary>Properties known only by the server's name (the identification string, RFC 4253 section 4.2).</summary>
internal static class ServerSoftware
{
    /// <summary>Whether a plain RENAME is a link and an unlink, which never replaces a file.</summary>
    public static bool RenamesSafely(string? server) => Names(server, "OpenSSH");

    /// <summary>
    /// Whether the file system decides on names alone. Other servers have rules (mod_sftp's PathAllowFilter, those of gateways), which may
    /// refuse a temporary name and take the file's own.
    /// </summary>
    public static bool TakesAnyName(string? server) => Names(server, "OpenSSH");

    /// <summary>
    /// Whether OK to a rename or a deletion proves that: by the source of these servers. A gateway may confirm requests that the back end
    /// does not have or does not allow.
    /// </summary>
    public static bool ConfirmsChanges(string? server) => IsKnownBySource(server);

    /// <summary>
    /// Whether several READDIRs on one handle are read one after the other, by the source of these servers. Where requests run at once,
    /// names are lost without a sign.
    /// </summary>
    public static bool ReadsInTurn(string? server) => IsKnownBySource(server);

    /// <summary>
    /// Whether a WRITE may go anywhere. Azure's blobs can only be appended to: the server takes writes in ascending order from the start,
    /// and refuses the rest. All other servers write to files.
    /// </summary>
    public static bool WritesAtOffset(string? server) => !Names(server, "AzureSSH");

    /// <summary>
    /// Whether a handle is a number in four bytes: the one returned last, else the next, from 0. Requests are handled one after the other.
    /// </summary>
    public static bool NumbersHandles(string? server) => Names(server, "OpenSSH_");

    /// <summary>
    /// Whether several channels of one connection may be used at once. mod_sftp keeps the first part of a split packet once a connection,
    /// not once a channel: bytes of another channel in between are taken for the rest, and neither request is ever answered.
    /// </summary>
    public static bool KeepsChannelsApart(string? server) => !Names(server, "mod_sftp");

    /// <summary>
    /// Whether READDIR and LSTAT show links as links, whatever their target. mod_sftp's LSTAT follows links to directories, and Windows
    /// has more kinds of links.
    /// </summary>
    public static bool ListsLinks(string? server) => Names(server, "OpenSSH") && !Names(server, "OpenSSH_for_Windows");

    /// <summary>Whether the server has files of a file system, whose times are set or refused. Other servers accept times for objects of a
    /// store, and go on showing when each arrived.</summary>
    public static bool SetsTimes(string? server) => Names(server, "OpenSSH") || Names(server, "mod_sftp");

    /// <summary>
    /// Whether OPEN takes the flags of fopen's modes only. Servers over Node's ssh2 pass its name for a mode on to Node: other flags have
    /// none, and open an old file for reading.
    /// </summary>
    public static bool OpensByMode(string? server) => Names(server, "ssh2js");

    // Requests are handled in order, and OK means done.
    private static bool IsKnownBySource(string? server) =>
        Names(server, "OpenSSH") || Names(server, "mod_sftp") || Names(server, "Transfer.Testing");

    // "SSH-2.0-software comments": the software's name and mostly the version.
    private static bool Names(string? server, string software)
    {
        if (server is null) return false;
        var text = server.AsSpan();
        if (text.StartsWith("SSH-", StringComparison.Ordinal) && text[4..].IndexOf('-') is >= 0 and var dash) text = text[(dash + 5)..];
        return text.StartsWith(software, StringComparison.OrdinalIgnoreCase);
    }
}
