using System.Globalization;

namespace Transfer.Cli.Urls;

/// <summary>
/// Parses URLs after RFC 3986 with the command's own reading of the path: <see cref="Uri"/> would cut it at <c>#</c> and
/// <c>?</c>, fold <c>..</c> and re-encode names. No message repeats the URL, which may hold a password.
/// </summary>
internal static class UrlParser
{
    /// <summary>Parses a URL of a scheme that is served.</summary>
    /// <exception cref="UsageException">It cannot be used.</exception>
    public static TransferUrl Parse(string text)
    {
        if (!Scheme.IsUrl(text) && ScpPath.ToUrl(text) is { } meant)
            throw new UsageException($"'{text}' is not a URL; {meant} would be the one of scp's path.");
        if (!Scheme.IsUrl(text))
            throw new UsageException($"'{UrlRedaction.Redact(text)}' is not a URL; it should look like ftp://host/path.");
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        var scheme = text[..colon].ToLowerInvariant();
        CheckScheme(scheme);
        var rest = text.AsSpan(colon + 1);
        if (!rest.StartsWith("//")) return FromParts(scheme, default, rest.ToString());

        rest = rest[2..];
        var slash = rest.IndexOf('/');
        var authority = slash < 0 ? rest : rest[..slash];
        return FromParts(scheme, authority, slash < 0 ? string.Empty : rest[slash..].ToString());
    }

    private static void CheckScheme(string scheme)
    {
        if (scheme is not (Scheme.Ftp or Scheme.FtpExplicit or Scheme.FtpImplicit or Scheme.Sftp or Scheme.File))
            throw new UsageException($"{scheme}: URLs are not served; those that are: ftp, ftpes, ftps, sftp, file.");
    }

    private static TransferUrl FromParts(string scheme, ReadOnlySpan<char> authority, string rawPath)
    {
        var path = PercentEncoding.DecodeName(rawPath, "The URL's path");
        Refuse(path, "The URL's path");
        if (scheme == Scheme.File)
        {
            if (!authority.IsEmpty && !authority.Equals("localhost", StringComparison.OrdinalIgnoreCase))
                throw new UsageException("A file: URL names this machine: file:///path.");
            if (path.Length == 0) throw new UsageException("A file: URL needs a path: file:///path.");
            return new TransferUrl { Scheme = scheme, Host = string.Empty, RawPath = rawPath, Path = path };
        }

        // The last @ ends the user information, so that names like me@example.org work unencoded too.
        var at = authority.LastIndexOf('@');
        var (user, password) = at < 0 ? (null, null) : ParseUser(authority[..at]);
        var (host, port) = AuthorityParser.ParseHostAndPort(authority[(at + 1)..], "The URL");
        return new TransferUrl
        {
            Scheme = scheme,
            User = user,
            Password = password,
            Host = host,
            Port = port,
            RawPath = rawPath.Length == 0 ? "/" : rawPath,
            Path = path.Length == 0 ? "/" : path,
        };
    }

    private static (string? User, string? Password) ParseUser(ReadOnlySpan<char> info)
    {
        var colon = info.IndexOf(':');
        var user = PercentEncoding.DecodeText(colon < 0 ? info : info[..colon], "The URL's user name");
        var password = colon < 0 ? null : PercentEncoding.DecodeText(info[(colon + 1)..], "The URL's password");
        Refuse(user, "The URL's user name");
        if (password is not null) Refuse(password, "The URL's password");
        if (user.Length == 0 && password is not null) throw new UsageException("The URL has a password but no user name.");
        return (user.Length == 0 ? null : user, password);
    }

    private static void Refuse(string text, string what)
    {
        // Commands end with CR LF (RFC 959 section 5.3.1): what holds one could smuggle in a second command.
        var bad = text.AsSpan().IndexOfAny('\r', '\n', '\0');
        if (bad >= 0)
            throw new UsageException(string.Create(CultureInfo.InvariantCulture, $"{what} holds a {Name(text[bad])}, which is refused."));

        static string Name(char c) => c switch { '\r' => "CR", '\n' => "LF", _ => "NUL" };
    }
}
