namespace Transfer.Testing.Ftp.Commands;

/// <summary>The session's folder, and folders (RFC 959 4.1.1 and 4.1.3; replies by its appendix II).</summary>
internal static class FolderCommands
{
    public static IEnumerable<KeyValuePair<string, CommandEntry>> All =>
    [
        new("PWD", new(PrintAsync)),
        new("XPWD", new(PrintAsync)),
        new("CWD", new(ChangeAsync, NeedsArgument: true)),
        new("XCWD", new(ChangeAsync, NeedsArgument: true)),
        new("CDUP", new(UpAsync)),
        new("XCUP", new(UpAsync)),
        new("MKD", new(MakeAsync, NeedsArgument: true)),
        new("XMKD", new(MakeAsync, NeedsArgument: true)),
        new("RMD", new(RemoveAsync, NeedsArgument: true)),
        new("XRMD", new(RemoveAsync, NeedsArgument: true)),
    ];

    private static Task PrintAsync(FtpSession session, string argument, CancellationToken ct) =>
        session.ReplyAsync(257, $"{Quote(session.State.Folder)} is the current directory.", ct).AsTask();

    private static Task UpAsync(FtpSession session, string argument, CancellationToken ct) => ChangeAsync(session, "..", ct);

    private static async Task ChangeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        if (await session.Store.GetAsync(path, ct).ConfigureAwait(false) is not { IsDirectory: true })
            throw new DirectoryNotFoundException();
        // As chdir and getcwd have it.
        session.State.Folder = await session.Store.ResolveAsync(path, ct).ConfigureAwait(false);
        await session.ReplyAsync(250, "Directory changed.", ct).ConfigureAwait(false);
    }

    private static async Task MakeAsync(FtpSession session, string argument, CancellationToken ct)
    {
        var path = session.Resolve(argument);
        await session.Store.CreateDirectoryAsync(path, ct).ConfigureAwait(false);
        await session.ReplyAsync(257, $"{Quote(path)} created.", ct).ConfigureAwait(false);
    }

    private static async Task RemoveAsync(FtpSession session, string argument, CancellationToken ct)
    {
        await session.Store.DeleteDirectoryAsync(session.Resolve(argument), ct).ConfigureAwait(false);
        await session.ReplyAsync(250, "Directory removed.", ct).ConfigureAwait(false);
    }

    /// <summary>Quotation marks in a path are doubled (RFC 959 appendix II).</summary>
    private static string Quote(string path) => $"\"{path.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
