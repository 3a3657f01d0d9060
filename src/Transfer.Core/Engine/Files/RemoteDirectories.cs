using Transfer.Sessions;

namespace Transfer.Engine.Files;

internal static class RemoteDirectories
{
    /// <summary>Creates a directory and the missing parents. True: the directory did not exist before.</summary>
    /// <exception cref="TransferException">The directory does not exist now.</exception>
    public static async ValueTask<bool> EnsureAsync(TransferSession session, string path, CancellationToken ct, UnixFileMode? mode = null)
    {
        // Mostly the directory or the parent exists: one request instead of one for each level.
        var outcome = (await session.CreateDirectoriesAsync([path], [mode], ct).ConfigureAwait(false))[0];
        if (outcome.Error is null) return outcome.Created;
        var chain = Chain(path);
        if (chain.Count < 2) throw outcome.Error;

        // Errors of the upper levels do not matter: a parent that may not be created may well exist.
        outcome = (await session.CreateDirectoriesAsync(chain, [.. chain.Select(folder => folder == path ? mode : null)],
            ct).ConfigureAwait(false))[^1];
        return outcome.Error is null ? outcome.Created : throw outcome.Error;
    }

    private static List<string> Chain(string path)
    {
        var chain = new List<string>();
        for (var at = path; at is not null and not "/" and not RemotePath.Home; at = RemotePath.GetParent(at)) chain.Insert(0, at);
        return chain;
    }
}
