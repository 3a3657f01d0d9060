namespace Transfer;

/// <summary>
/// Remote paths: components joined by <c>/</c>. A leading <c>/</c> is the server's root, <c>/~</c> and <c>/~/…</c> the log-in folder and
/// the paths below; anything else is relative to the client's endpoint.
/// </summary>
public static class RemotePath
{
    /// <summary>The log-in folder.</summary>
    public const string Home = "/~";

    /// <summary>Joins a directory and a name or a relative path.</summary>
    public static string Combine(string directory, string name)
    {
        ArgumentNullException.ThrowIfNull(directory);
        ArgumentNullException.ThrowIfNull(name);
        return directory.Length == 0 ? name : directory.EndsWith('/') ? directory + name : directory + "/" + name;
    }

    /// <summary>The last component, or an empty string for the root.</summary>
    public static string GetName(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var trimmed = path.AsSpan().TrimEnd('/');
        return trimmed[(trimmed.LastIndexOf('/') + 1)..].ToString();
    }

    /// <summary>The path without the last component: <c>/</c> for names in the root, null for the root and the log-in folder
    /// themselves.</summary>
    public static string? GetParent(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        var trimmed = path.AsSpan().TrimEnd('/');
        if (trimmed.Length == 0 || trimmed.SequenceEqual(Home)) return null;
        var slash = trimmed.LastIndexOf('/');
        return slash switch { < 0 => string.Empty, 0 => "/", _ => trimmed[..slash].ToString() };
    }

    /// <summary>Makes a path absolute against an absolute base, and drops trailing slashes. <c>..</c> is left for the server to
    /// judge.</summary>
    /// <exception cref="ArgumentException">The path holds CR, LF or NUL.</exception>
    public static string Resolve(string basePath, string path)
    {
        ArgumentNullException.ThrowIfNull(basePath);
        ThrowIfInvalid(path);
        var full = path.StartsWith('/') ? path : path.Length == 0 ? basePath : Combine(basePath, path);
        var trimmed = full.TrimEnd('/');
        return trimmed.Length == 0 ? "/" : trimmed;
    }

    /// <summary>
    /// Returns a path relative to a directory, with <c>..</c> taken by names: where links lead is the server's to know. Null: the path is
    /// not below the directory.
    /// </summary>
    internal static string? Below(string directory, string path)
    {
        var prefix = ByNames(directory).TrimEnd('/') + "/";
        var full = ByNames(path);
        return full.StartsWith(prefix, StringComparison.Ordinal) && full.Length > prefix.Length ? full[prefix.Length..] : null;
    }

    /// <summary>Returns a path with <c>.</c>, <c>..</c> and doubled slashes taken by names.</summary>
    internal static string ByNames(string path)
    {
        var names = new List<string>();
        foreach (var name in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            if (name == "..") names.RemoveRange(Math.Max(0, names.Count - 1), Math.Min(1, names.Count));
            else if (name != ".") names.Add(name);
        }
        return "/" + string.Join('/', names);
    }

    /// <summary>Refuses characters that could smuggle a second command onto a control connection (RFC 959 5.3.1: commands end with CR LF)
    /// or cut a name short.</summary>
    /// <exception cref="ArgumentException">The path holds CR, LF or NUL.</exception>
    public static void ThrowIfInvalid(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.AsSpan().ContainsAny('\r', '\n', '\0'))
            throw new ArgumentException("A remote path may not contain CR, LF or NUL.", nameof(path));
    }
}
