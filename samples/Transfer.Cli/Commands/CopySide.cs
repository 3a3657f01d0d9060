using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>One side of copy and sync: a server's URL, or a local path however it was written.</summary>
internal sealed record CopySide(TransferUrl? Url, string LocalPath)
{
    public bool IsRemote => Url is not null;

    /// <summary>What may be shown.</summary>
    public string Name => Url?.Redacted ?? LocalPath;

    public static CopySide Parse(string argument, string verb)
    {
        if (argument == "-") throw new UsageException($"{verb} has no standard input or output; put and get have.");
        UsageException.ThrowIfEmpty(argument);
        if (!Scheme.IsUrl(argument)) ScpPath.Refuse(argument);
        if (!Scheme.IsUrl(argument)) return new CopySide(null, argument);
        var url = UrlParser.Parse(argument);
        return url.IsFile ? new CopySide(null, ToLocalPath(url.Path)) : new CopySide(url, string.Empty);
    }

    /// <summary>RFC 8089 appendix E.2: <c>/C:/x</c> is a drive's path.</summary>
    private static string ToLocalPath(string path) =>
        OperatingSystem.IsWindows() && path.Length >= 3 && char.IsAsciiLetter(path[1]) && path[2] == ':' ? path[1..] : path;
}
