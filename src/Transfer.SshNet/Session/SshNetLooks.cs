using Renci.SshNet.Common;
using Renci.SshNet.Sftp;
using Transfer.Sessions;

namespace Transfer.SshNet.Session;

/// <summary>
/// Looks at names themselves. SSH.NET resolves a path before each request, so a link is described as its target, and a dangling one as
/// absent. The resolved path reveals links: if it differs from the folder and the name, the name is looked up in the folder's listing.
/// </summary>
/// <param name="calls">The session's calls.</param>
/// <param name="home">The log-in folder, absolute.</param>
internal sealed class SshNetLooks(SshNetCalls calls, string home)
{
    /// <summary>Requests under way at once.</summary>
    public const int Together = 32;

    private const int MostFolders = 256;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, string> _folders = new(StringComparer.Ordinal);

    /// <summary>The path in the server's form: <c>/~</c> is the log-in folder.</summary>
    public string Expand(string path)
    {
        if (path == RemotePath.Home) return home;
        return path.StartsWith(RemotePath.Home + "/", StringComparison.Ordinal)
            ? RemotePath.Combine(home, path[(RemotePath.Home.Length + 1)..]) : path;
    }

    /// <summary>Looks at one path.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    public async ValueTask<Sight> AtAsync(string path, CancellationToken ct) => (await AtAllAsync([path], ct).ConfigureAwait(false))[0];

    /// <summary>Looks at several paths, many at once; one sight a path, in order.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    public async ValueTask<IReadOnlyList<Sight>> AtAllAsync(IReadOnlyList<string> paths, CancellationToken ct)
    {
        var looks = await TogetherAsync(paths, path => LookAsync(path, ct)).ConfigureAwait(false);
        var unsure = looks.Where(look => look.IsUnsure)
            .GroupBy(look => RemotePath.GetParent(look.Sight.Path)!, StringComparer.Ordinal)
            .ToList();
        if (unsure.Count == 0) return [.. looks.Select(look => look.Sight)];
        var found = new Dictionary<string, Sight>(StringComparer.Ordinal);
        foreach (var folder in unsure)
        {
            foreach (var sight in await ListedAsync(folder.Key, [.. folder], ct).ConfigureAwait(false)) found[sight.Path] = sight;
        }
        return [.. looks.Select(look => look.IsUnsure ? found[look.Sight.Path] : look.Sight)];
    }

    /// <summary>The same, as outcomes.</summary>
    /// <exception cref="TransferConnectionException">The session was lost.</exception>
    public async ValueTask<IReadOnlyList<EntryOutcome>> OutcomesOfAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        [.. (await AtAllAsync(paths, ct).ConfigureAwait(false)).Select(sight => sight.ToOutcome())];

    /// <summary>The error of a change that was confirmed and not made.</summary>
    public static TransferException WithoutEffect(string message, string path) =>
        new(TransferError.Unsupported, message) { RemotePath = path, ServerCode = 0 };

    /// <summary>Returns the target of a path that may pass through links, with its real path; null for none.</summary>
    /// <exception cref="TransferException">The look failed.</exception>
    public async ValueTask<ISftpFile?> BehindAsync(string path, CancellationToken ct)
    {
        var full = Expand(path);
        try
        {
            var file = await GetAsync(path, full, ct).ConfigureAwait(false);
            // One that leads round in circles cannot be resolved, and shows itself.
            return file.IsSymbolicLink ? null : file;
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return null;
        }
    }

    /// <summary>Makes several requests, a number at once; the answers are in order.</summary>
    public static async ValueTask<IReadOnlyList<TResult>> TogetherAsync<T, TResult>(IReadOnlyList<T> each, Func<T, Task<TResult>> ask)
    {
        var answers = new List<TResult>(each.Count);
        foreach (var some in each.Chunk(Together)) answers.AddRange(await Task.WhenAll(some.Select(ask)).ConfigureAwait(false));
        return answers;
    }

    // Returns the target of the path, with its real path; a path that cannot be resolved is looked at itself.
    private Task<ISftpFile> GetAsync(string path, string full, CancellationToken ct) =>
        calls.RunAsync("Cannot look at", path, (client, watch) => client.GetAsync(full, watch.Token), ct);

    private async Task<Look> LookAsync(string path, CancellationToken ct)
    {
        var full = Expand(path);
        var (file, shown) = ((ISftpFile?)null, full);
        try
        {
            file = await GetAsync(path, full, ct).ConfigureAwait(false);
            shown = file.FullName;
        }
        catch (TransferException e) when (e.InnerException is SftpPathNotFoundException missing)
        {
            shown = missing.Path ?? full;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return new(new(path, null, e), full, null);
        }
        // The root and the log-in folder keep their names, wherever they are.
        if (shown == full || RemotePath.GetParent(path) is null || RemotePath.GetParent(full) is not { } parent)
            return new(new(path, file, null), full, null);
        try
        {
            if (await IsNameInAsync(parent, RemotePath.GetName(full), shown, ct).ConfigureAwait(false))
                return new(new(path, file, null), full, null);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // An absent folder has no entries.
            return new(new(path, null, e.Error == TransferError.NotFound ? null : e), full, null);
        }
        return new(new(path, file, null), full, shown);
    }

    // The folder's real path is remembered, and refreshed after a mismatch.
    private async ValueTask<bool> IsNameInAsync(string folder, string name, string shown, CancellationToken ct)
    {
        lock (_gate)
        {
            if (_folders.TryGetValue(folder, out var known) && RemotePath.Combine(known, name) == shown) return true;
        }
        var real = (await GetAsync(folder, folder, ct).ConfigureAwait(false)).FullName;
        lock (_gate)
        {
            if (_folders.Count >= MostFolders) _folders.Clear();
            _folders[folder] = real;
        }
        return RemotePath.Combine(real, name) == shown;
    }

    // Names that are links, most likely: their folder is listed once for all of them.
    private async ValueTask<IReadOnlyList<Sight>> ListedAsync(string folder, IReadOnlyList<Look> looks, CancellationToken ct)
    {
        var wanted = looks.ToDictionary(look => RemotePath.GetName(look.Full), look => (ISftpFile?)null, StringComparer.Ordinal);
        try
        {
            var full = Expand(folder);
            await calls.RunAsync("Cannot list", folder, async (client, watch) =>
            {
                await foreach (var file in client.ListDirectoryAsync(full, watch.Token).ConfigureAwait(false))
                {
                    watch.Touch();
                    if (wanted.ContainsKey(file.Name)) wanted[file.Name] = file;
                }
                return true;
            }, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return [.. looks.Select(look => new Sight(look.Sight.Path, null, e))];
        }
        return [.. looks.Select(look => Resolve(look, wanted[RemotePath.GetName(look.Full)]))];
    }

    private static Sight Resolve(Look look, ISftpFile? listed)
    {
        if (listed is not null) return look.Sight with { File = listed };
        // A case-insensitive server has listed the name in another case.
        if (look.Sight.File is { } file && string.Equals(file.Name, RemotePath.GetName(look.Full), StringComparison.OrdinalIgnoreCase))
            return look.Sight;
        return look.Sight with
        {
            File = null,
            Error = new TransferException(TransferError.Unknown,
                $"{look.Sight.Path}: the server resolves it to {look.Shown}, and does not list it.")
            { RemotePath = look.Sight.Path },
        };
    }

    /// <summary>A first look.</summary>
    /// <param name="Sight">The result; at the path itself, unless unsure.</param>
    /// <param name="Full">The path in the server's form.</param>
    /// <param name="Shown">The path as resolved by the server, where different; null: the path itself.</param>
    private readonly record struct Look(Sight Sight, string Full, string? Shown)
    {
        public bool IsUnsure => Shown is not null;
    }
}
