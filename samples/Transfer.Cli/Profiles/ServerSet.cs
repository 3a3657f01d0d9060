using Transfer.Cli.Urls;

namespace Transfer.Cli.Profiles;

/// <summary>The servers of a command.</summary>
/// <param name="Urls">The URLs of servers, and of receivers.</param>
/// <param name="Profiles">The profiles among them, once each.</param>
/// <param name="HasLocalOnly">Both sides of the command are here.</param>
internal sealed record ServerSet(IReadOnlyList<string> Urls, IReadOnlyList<ServerProfile> Profiles, bool HasLocalOnly)
{
    private readonly IReadOnlyList<string> _schemes =
        [.. Urls.Select(url => url[..url.IndexOf(':', StringComparison.Ordinal)].ToLowerInvariant())];

    /// <summary>The only server is that of a profile, so that all options of the profile are options of the command.</summary>
    public bool IsOneProfile { get; init; }

    /// <summary>Whether a profile's server is the only one.</summary>
    public bool IsOnly(ServerProfile profile) => Urls.Count == 1 && Profiles.Count == 1 && Profiles[0] == profile;

    /// <summary>Some server speaks FTP.</summary>
    public bool HasFtp => _schemes.Any(scheme => scheme is Scheme.Ftp or Scheme.FtpExplicit or Scheme.FtpImplicit);

    /// <summary>Some server speaks SFTP.</summary>
    public bool HasSftp => _schemes.Contains(Scheme.Sftp);

    /// <summary>Some server speaks one of both.</summary>
    public bool HasServer => HasFtp || HasSftp;

    /// <summary>All servers leave it to the options whether there is TLS.</summary>
    public bool ChoosesTls => _schemes.Any() && _schemes.All(scheme => scheme == Scheme.Ftp);

    /// <summary>All servers speak TLS.</summary>
    /// <param name="tls">Whether the options ask for TLS.</param>
    public bool HasTls(bool tls) =>
        HasServer && _schemes.All(scheme => SpeaksTls(scheme, tls));

    /// <summary>All servers of FTP speak TLS, and there is one.</summary>
    /// <param name="tls">Whether the options ask for TLS.</param>
    public bool HasFtpOverTls(bool tls) => HasFtp && _schemes.All(scheme => scheme == Scheme.Sftp || SpeaksTls(scheme, tls));

    /// <summary>The set of one profile only.</summary>
    public static ServerSet Of(ServerProfile profile) => new([profile.UrlText], [profile], HasLocalOnly: false) { IsOneProfile = true };

    private static bool SpeaksTls(string scheme, bool tls) =>
        scheme is Scheme.FtpExplicit or Scheme.FtpImplicit || tls && scheme == Scheme.Ftp;
}
