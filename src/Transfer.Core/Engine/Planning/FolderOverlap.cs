using Transfer.Engine.Backups;
using Transfer.Engine.Scheduling;
using Transfer.Local;

namespace Transfer.Engine.Planning;

/// <summary>
/// Refuses jobs between two folders of one place of which one is in the other: filling the one would change the source, or never end. Also
/// refuses files and folders that would be written in place of themselves, which empties them before they are read. The paths are compared
/// as they are given, and as they lead where the side follows links.
/// </summary>
internal static class FolderOverlap
{
    /// <summary>Refuses a job between two clients.</summary>
    /// <exception cref="TransferException">The job would do harm.</exception>
    public static ValueTask RefuseAsync(
        ClientEngine from, string source, ClientEngine to, string target, TransferOptions options, CancellationToken ct) =>
        IsSamePlace(from, to, Deletes(options))
        ? RefuseAsync(source, target, options, token => FollowAsync(from, source, token), token => FollowAsync(to, target, token), ct)
        : default;

    /// <summary>Refuses a job from a local path to a client, of this machine too.</summary>
    /// <inheritdoc cref="RefuseAsync(ClientEngine, string, ClientEngine, string, TransferOptions, CancellationToken)"/>
    public static ValueTask RefuseUpAsync(
        string local, ClientEngine to, string target, TransferOptions options, CancellationToken ct) =>
        IsHere(to)
        ? RefuseAsync(PathOf(local), target, options, _ => FollowHere(local), token => FollowAsync(to, target, token), ct)
        : default;

    /// <summary>Refuses a job from a client to a local path, where the client is of this machine too.</summary>
    /// <inheritdoc cref="RefuseAsync(ClientEngine, string, ClientEngine, string, TransferOptions, CancellationToken)"/>
    public static ValueTask RefuseDownAsync(
        ClientEngine from, string source, string local, TransferOptions options, CancellationToken ct) =>
        IsHere(from)
        ? RefuseAsync(source, PathOf(local), options, token => FollowAsync(from, source, token), _ => FollowHere(local), ct)
        : default;

    private static async ValueTask RefuseAsync(
        string source, string target, TransferOptions options, Func<CancellationToken, ValueTask<string?>> followSource,
        Func<CancellationToken, ValueTask<string?>> followTarget, CancellationToken ct)
    {
        Refuse(source, target, options);
        if (await followSource(ct).ConfigureAwait(false) is not { } realSource) return;
        if (await followTarget(ct).ConfigureAwait(false) is { } realTarget) Refuse(realSource, realTarget, options);
    }

    private static void Refuse(string source, string target, TransferOptions options)
    {
        if (options.Publish == PublishMode.Direct && RemotePath.ByNames(source) == RemotePath.ByNames(target))
            throw SourceChange.Itself(target);
        if (RemotePath.Below(source, target) is not null)
            throw Refusal($"{target} is in {source}: it would be filled with itself.", target);
        if (Deletes(options) && RemotePath.Below(target, source) is not null)
            throw Refusal($"{source} is in {target}: it would be deleted.", source);
    }

    private static bool Deletes(TransferOptions options) => options is SyncOptions { Delete: true };

    // Two clients of one server may log in as different users, and see different paths: where entries may be deleted, the same paths are
    // assumed.
    private static bool IsSamePlace(ClientEngine from, ClientEngine to, bool deletes)
    {
        if (ReferenceEquals(from, to)) return true;
        var (one, other) = (from.Endpoint, to.Endpoint);
        if (one.IsFile && other.IsFile) return one == other || !OperatingSystem.IsWindows();
        return Uri.Compare(one, other, UriComponents.SchemeAndServer | UriComponents.UserInfo, UriFormat.Unescaped,
            StringComparison.OrdinalIgnoreCase) == 0 && (deletes || from.User == to.User);
    }

    // Of a share, the local path has another form.
    private static bool IsHere(ClientEngine engine) => engine.Endpoint is { IsFile: true, IsUnc: false };

    private static string PathOf(string local) => LocalRoot.ToPath(LocalPath.Full(local));

    private static ValueTask<string?> FollowHere(string local)
    {
        try
        {
            return new(LocalRoot.ToPath(LocalLinks.RealPath(local)));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The job itself reports a path that cannot be followed.
            return default;
        }
    }

    // Null: the session follows no links, or not these. A folder that does not exist yet is where its parent leads.
    private static async ValueTask<string?> FollowAsync(ClientEngine engine, string path, CancellationToken ct)
    {
        var paths = new List<string>();
        for (var at = path; at is not null; at = RemotePath.GetParent(at)) paths.Add(at);
        try
        {
            var ends = await engine.Scheduler.ControlAsync((session, token) => session.FollowLinksAsync(paths, token), retry: true, ct)
                .ConfigureAwait(false);
            for (var i = 0; i < paths.Count; i++)
            {
                if (ends[i].Entry is { } real) return i == 0 ? real.Path : RemotePath.Combine(real.Path, path[paths[i].Length..].Trim('/'));
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // The paths as given were compared.
        }
        return null;
    }

    private static TransferException Refusal(string message, string path) => new(TransferError.Unsupported, message) { RemotePath = path };
}
