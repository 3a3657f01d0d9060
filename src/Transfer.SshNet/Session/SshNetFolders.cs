using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>Makes directories, those of one depth many at once.</summary>
/// <param name="calls">The session's calls.</param>
/// <param name="looks">The session's looks.</param>
/// <param name="server">The knowledge of the server.</param>
internal sealed class SshNetFolders(SshNetCalls calls, SshNetLooks looks, SshNetServerState server)
{
    public async ValueTask<IReadOnlyList<DirectoryOutcome>> CreateAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var outcomes = new DirectoryOutcome[paths.Count];
        // Directories of one depth at a time: a request must not overtake that for the parent.
        foreach (var level in Enumerable.Range(0, paths.Count).GroupBy(i => paths[i].AsSpan().Count('/')).OrderBy(level => level.Key))
        {
            int[] places = [.. level];
            var made = await SshNetLooks.TogetherAsync(places, i => CreateAsync(paths[i], ct)).ConfigureAwait(false);
            for (var i = 0; i < places.Length; i++) outcomes[places[i]] = made[i];
        }
        if (!server.ConfirmsChanges)
        {
            await server.Changes.CheckDirectoriesAsync(paths, outcomes, looks.OutcomesOfAsync,
                i => SshNetLooks.WithoutEffect($"{paths[i]}: the server confirms MKDIR, but it does not exist.", paths[i]), ct)
                .ConfigureAwait(false);
        }
        return outcomes;
    }

    private async Task<DirectoryOutcome> CreateAsync(string path, CancellationToken ct)
    {
        try
        {
            var full = looks.Expand(path);
            await calls.RunAsync("Cannot create", path, async (client, watch) =>
            {
                await client.CreateDirectoryAsync(full, watch.Token).ConfigureAwait(false);
                return true;
            }, ct).ConfigureAwait(false);
            return new() { Created = true };
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return await FindAsync(path, e, ct).ConfigureAwait(false);
        }
    }

    // Version 3 has no code for a name that is taken.
    private async Task<DirectoryOutcome> FindAsync(string path, TransferException refusal, CancellationToken ct)
    {
        try
        {
            if (await looks.BehindAsync(path, ct).ConfigureAwait(false) is not { } there) return new() { Error = refusal };
            if (there.IsDirectory) return default;
            return new() { Error = new TransferException(TransferError.Exists, $"{path} exists.", refusal) { RemotePath = path } };
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new() { Error = refusal };
        }
    }
}
