namespace Transfer.Cli.Urls;

/// <summary>The URL schemes that the command knows.</summary>
internal static class Scheme
{
    public const string Ftp = "ftp";
    public const string FtpExplicit = "ftpes";
    public const string FtpImplicit = "ftps";
    public const string Sftp = "sftp";
    public const string File = "file";

    /// <summary>
    /// Whether an argument is a URL rather than a local path: a scheme of two letters or more (a drive has one) and <c>://</c>, or
    /// <c>file:/</c> (RFC 8089).
    /// </summary>
    public static bool IsUrl(string text)
    {
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon < 2 || !char.IsAsciiLetter(text[0])) return false;
        var scheme = text.AsSpan(0, colon);
        foreach (var c in scheme)
            if (!char.IsAsciiLetterOrDigit(c) && c is not ('+' or '-' or '.')) return false;
        var rest = text.AsSpan(colon + 1);
        return rest.StartsWith("//") || (scheme.Equals(File, StringComparison.OrdinalIgnoreCase) && rest.StartsWith('/'));
    }

    /// <summary>Whether an argument is the URL of a server of FTP or SFTP.</summary>
    public static bool IsServer(string text) =>
        IsUrl(text) && text[..text.IndexOf(':', StringComparison.Ordinal)].ToLowerInvariant() is Ftp or FtpExplicit or FtpImplicit or Sftp;

    /// <summary>The part of a URL before its path.</summary>
    public static string ServerOf(string url)
    {
        var authority = url.IndexOf("://", StringComparison.Ordinal) + 3;
        var path = url.IndexOf('/', authority);
        return path < 0 ? url : url[..path];
    }

    /// <summary>The port that a URL without one means. TLS from the first byte moves <c>ftp</c> to 990 (IANA: ftps).</summary>
    public static int DefaultPort(string scheme, bool implicitTls) => scheme switch
    {
        Sftp => 22,
        FtpImplicit => 990,
        _ => implicitTls ? 990 : 21,
    };
}
