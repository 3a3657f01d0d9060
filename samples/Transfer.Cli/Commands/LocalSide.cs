using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>A local path as a client sees it, where both sides are local.</summary>
internal static class LocalSide
{
    /// <summary>A client for the path's volume, and the path in it.</summary>
    public static (LocalTransferClient Client, string Path) Open(string path, RateSetting limit)
    {
        var (root, inside) = Split(path);
        var options = new LocalTransferOptions { FollowLinks = true, MaxBytesPerSecond = limit.Rate, RateSchedule = limit.Schedule };
        return (new LocalTransferClient(Endpoint(root), options), inside);
    }

    /// <summary>The volume's root and the path below it, in URL form.</summary>
    private static (string Root, string Path) Split(string path)
    {
        var full = Path.TrimEndingDirectorySeparator(LocalPath.Full(path));
        var root = Path.GetPathRoot(full)!;
        return (root, "/" + full[root.Length..].Replace(Path.DirectorySeparatorChar, '/'));
    }

    private static Uri Endpoint(string root) =>
        new("file:///"
            + string.Join('/', root.Replace(Path.DirectorySeparatorChar, '/').Trim('/').Split('/').Select(Encode))
                + (root.Length > 1 ? "/" : string.Empty));

    // A drive's colon stays what it is.
    private static string Encode(string part) => part.EndsWith(':') ? part : PercentEncoding.Encode(part);
}
