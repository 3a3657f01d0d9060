using Transfer.Testing.Stores;


namespace Transfer.Testing.Ftp.Commands;

/// <summary>The target of LIST, NLST and STAT.</summary>
/// <param name="Path">The folder, or the file.</param>
/// <param name="File">The file, or null for a folder.</param>
/// <param name="Pattern">Names of the folder to list, or null for all.</param>
/// <param name="NamePrefix">The prefix of names in NLST, which makes them paths from the session's folder.</param>
internal sealed record ListTarget(string Path, TestEntry? File, string? Pattern, string NamePrefix)
{
    /// <summary>
    /// Reads an argument: a literal path; else with <c>ls</c> options in front, or with a pattern as the last component.
    /// </summary>
    public static async Task<ListTarget> FindAsync(FtpSession session, string argument, CancellationToken ct)
    {
        if (await AsPathAsync(session, argument, ct).ConfigureAwait(false) is { } exact) return exact;
        var rest = argument;
        while (rest.StartsWith('-')) rest = rest.IndexOf(' ') is var space and >= 0 ? rest[(space + 1)..].TrimStart() : string.Empty;
        if (await AsPathAsync(session, rest, ct).ConfigureAwait(false) is { } plain) return plain;
        var slash = rest.LastIndexOf('/');
        var pattern = rest[(slash + 1)..];
        if (!pattern.AsSpan().ContainsAny('*', '?')) throw new FileNotFoundException();
        var folder = slash < 0 ? session.State.Folder : session.Resolve(slash == 0 ? "/" : rest[..slash]);
        if (await session.Store.GetAsync(folder, ct).ConfigureAwait(false) is not { IsDirectory: true })
            throw new DirectoryNotFoundException();
        return new ListTarget(folder, File: null, pattern, rest[..(slash + 1)]);
    }

    private static async Task<ListTarget?> AsPathAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        if (await session.Store.GetAsync(path, ct).ConfigureAwait(false) is not { } entry) return null;
        if (!entry.IsDirectory)
            return new ListTarget(path, entry, Pattern: null, argument[..(argument.Length - VirtualPath.Name(argument).Length)]);
        var prefix = argument.Length == 0 || argument.EndsWith('/') ? argument : argument + "/";
        return new ListTarget(path, File: null, Pattern: null, prefix);
    }
}
