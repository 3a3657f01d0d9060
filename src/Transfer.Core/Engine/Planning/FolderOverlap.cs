using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Planning;

/// <summary>
/// Refuses jobs between two folders of one place of which one is in the other: filling the one would change the source, or never end.
/// </summary>
internal static class FolderOverlap
{
    /// <exception cref="TransferException">The job would do harm.</exception>
    public static void Refuse(ClientEngine from, string source, ClientEngine to, string target, DirectoryJobOptions options)
    {
        var deletes = options is SyncOptions { Delete: true };
        if (!IsSamePlace(from, to, deletes)) return;
        if (IsInside(target, source)) throw Refusal($"{target} is in {source}: it would be filled with itself.", target);
        if (deletes && IsInside(source, target)) throw Refusal($"{source} is in {target}: it would be deleted.", source);
    }

    // Two clients of one server may log in as different users, and see different paths: where entries may be deleted, the same paths are
    // assumed.
    private static bool IsSamePlace(ClientEngine from, ClientEngine to, bool deletes)
    {
        if (ReferenceEquals(from, to)) return true;
        var (one, other) = (from.Endpoint, to.Endpoint);
        if (one.IsFile && other.IsFile) return one == other || !OperatingSystem.IsWindows();
        return deletes
            && Uri.Compare(one, other, UriComponents.SchemeAndServer | UriComponents.UserInfo, UriFormat.Unescaped,
                StringComparison.OrdinalIgnoreCase) == 0;
    }

    private static bool IsInside(string inner, string outer)
    {
        var prefix = outer.TrimEnd('/') + "/";
        return inner.TrimEnd('/').Length >= prefix.Length && inner.StartsWith(prefix, StringComparison.Ordinal);
    }

    private static TransferException Refusal(string message, string path) => new(TransferError.Unsupported, message) { RemotePath = path };
}
