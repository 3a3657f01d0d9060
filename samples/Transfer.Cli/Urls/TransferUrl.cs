using System.Globalization;

namespace Transfer.Cli.Urls;

/// <summary>A URL in its parts, decoded. It prints itself without the password.</summary>
internal sealed class TransferUrl
{
    /// <summary>In lower case.</summary>
    public required string Scheme { get; init; }

    /// <summary>The log-in name, or null when the URL has none.</summary>
    public string? User { get; init; }

    /// <summary>The secret, or null when the URL has none; an empty one was given as empty.</summary>
    public string? Password { get; init; }

    /// <summary>A name in ASCII, or an address; IPv6 without brackets. Empty for <c>file:</c>.</summary>
    public required string Host { get; init; }

    /// <summary>Null: the scheme's own.</summary>
    public int? Port { get; init; }

    /// <summary>The path as it stood in the URL, still encoded.</summary>
    public required string RawPath { get; init; }

    /// <summary>The path, decoded once; absolute, <c>/</c> at least. A trailing slash is kept.</summary>
    public required string Path { get; init; }

    public bool IsSftp => Scheme == Urls.Scheme.Sftp;

    public bool IsFile => Scheme == Urls.Scheme.File;

    /// <summary>The URL ends in a slash, has no path, or is the log-in folder: it names a folder.</summary>
    public bool NamesDirectory => Path.EndsWith('/') || Path == RemotePath.Home;

    /// <summary>The path's last component; empty when it names a folder.</summary>
    public string FileName => Path[(Path.LastIndexOf('/') + 1)..];

    /// <summary>The pattern of the path, or null when that is a plain one.</summary>
    public UrlPattern? Pattern => UrlPattern.FromPath(RawPath);

    /// <summary>Scheme, user, host, port and path: what may be shown.</summary>
    public string Redacted => ServerText + RawPath;

    /// <summary><see cref="Redacted"/> without the path.</summary>
    public string ServerText
    {
        get
        {
            var user = User is null ? string.Empty : PercentEncoding.Encode(User) + "@";
            var port = Port is { } p ? ":" + p.ToString(CultureInfo.InvariantCulture) : string.Empty;
            return $"{Scheme}://{user}{HostText}{port}";
        }
    }

    private string HostText => Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host;

    /// <summary>The same server and log-in with another path.</summary>
    public string Describe(string path) => ServerText + path;

    /// <summary>
    /// What a client is made for: scheme, host and port, no user information and no path. SSH's configuration may have another port than
    /// the usual one.
    /// </summary>
    public Uri Endpoint(bool implicitTls) => new(IsSftp && Port is null ? $"{Scheme}://{HostText}/" : string.Create(
        CultureInfo.InvariantCulture, $"{Scheme}://{HostText}:{Port ?? Urls.Scheme.DefaultPort(Scheme, implicitTls)}/"));

    public bool IsSameServer(TransferUrl other) =>
        Scheme == other.Scheme && Host == other.Host
        && (Port ?? Urls.Scheme.DefaultPort(Scheme, false)) == (other.Port ?? Urls.Scheme.DefaultPort(other.Scheme, false));

    public override string ToString() => Redacted;
}
