namespace Transfer.Cli.Urls;

/// <summary>Recognises what scp and rsync take for a path on a host, <c>[user@]host:path</c>, and what would be its URL here.</summary>
internal static class ScpPath
{
    /// <summary>
    /// Refuses an argument that is no local path, and seems to be one of scp's, or a mistyped URL with a password: messages about files
    /// have their names whole.
    /// </summary>
    /// <exception cref="UsageException">The URL is named, or what may be shown of the argument.</exception>
    public static void Refuse(string argument)
    {
        var isPath = argument.StartsWith('.') || Path.IsPathRooted(argument);
        if (!isPath && UrlRedaction.Redact(argument) is var shown && shown != argument && LocalPath.Find(argument) is null)
            throw new UsageException($"'{shown}' is not a URL: that has :// behind its scheme. (A local path begins with ./ there.)");
        if (ToUrl(argument) is not { } url || LocalPath.Find(argument) is not null) return;
        throw new UsageException(
            $"'{argument}' is not a URL: {url} would be the one of scp's path. (A local path of that name is ./{argument})");
    }

    /// <summary>The URL that such a path means; null: it is none, or might hold a password.</summary>
    public static string? ToUrl(string text)
    {
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon < 2 || text.AsSpan(colon).Contains('@') || text.AsSpan(colon + 1).StartsWith("//")) return null;
        var place = text[..colon];
        if (!place.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_' or '@') || place.Count(c => c == '@') > 1) return null;
        if (place.StartsWith('@') || place.EndsWith('@') || place.StartsWith('-')) return null;
        var path = text[(colon + 1)..].Replace("%", "%25", StringComparison.Ordinal);
        if (path.StartsWith("~/", StringComparison.Ordinal)) path = path[2..];
        return path.StartsWith('/') ? $"sftp://{place}{path}" : $"sftp://{place}/~/{path}";
    }
}
