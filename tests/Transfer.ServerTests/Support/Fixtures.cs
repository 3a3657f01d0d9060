using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Support;

/// <summary>Which servers and variants a fixture runs against.</summary>
public static class Fixtures
{
    /// <summary>Every variant that each server has.</summary>
    public static IEnumerable<TestFixtureData> All => Of(
        (ServerKind.Vsftpd,
        [ServerVariant.Plain, ServerVariant.Explicit, ServerVariant.ExplicitTls12, ServerVariant.ExplicitReuse, ServerVariant.Implicit,
        ServerVariant.ImplicitReuse]),
        (ServerKind.Proftpd,
        [ServerVariant.Plain, ServerVariant.Explicit, ServerVariant.ExplicitTls12, ServerVariant.ExplicitReuse, ServerVariant.Implicit,
        ServerVariant.ImplicitReuse]),
        (ServerKind.PureFtpd, [ServerVariant.Plain, ServerVariant.Explicit, ServerVariant.ExplicitTls12]),
        (ServerKind.OpenSsh, [ServerVariant.Sftp, ServerVariant.SftpChroot]),
        (ServerKind.ProftpdSftp, [ServerVariant.Sftp]),
        (ServerKind.SshNet, [ServerVariant.Sftp]));

    /// <summary>The variants with TLS.</summary>
    public static IEnumerable<TestFixtureData> Tls => All.Where(data => ((ServerVariant)data.Arguments[1]!).Tls != ServerTls.Off);

    /// <summary>FTP servers plain and with the kind of TLS that their users most likely meet, and OpenSSH.</summary>
    public static IEnumerable<TestFixtureData> Main => Of(
        (ServerKind.Vsftpd, [ServerVariant.Plain, ServerVariant.ExplicitReuse]),
        (ServerKind.Proftpd, [ServerVariant.Plain, ServerVariant.ExplicitReuse]),
        (ServerKind.PureFtpd, [ServerVariant.Plain, ServerVariant.Explicit]),
        (ServerKind.OpenSsh, [ServerVariant.Sftp]),
        (ServerKind.SshNet, [ServerVariant.Sftp]));

    /// <summary>
    /// Those of <see cref="Main"/>, and all that speak SFTP: for work that is the same under every kind of TLS, all of which FileTests and
    /// TlsTests have.
    /// </summary>
    public static IEnumerable<TestFixtureData> Usual => Main.Concat(Of(
        (ServerKind.OpenSsh, [ServerVariant.SftpChroot]),
        (ServerKind.ProftpdSftp, [ServerVariant.Sftp])));

    /// <summary>Those of <see cref="Main"/> that speak FTP.</summary>
    public static IEnumerable<TestFixtureData> MainFtp =>
        Main.Where(data => data.Arguments[0] is not (ServerKind.OpenSsh or ServerKind.SshNet));

    /// <summary>Every variant that speaks SFTP.</summary>
    public static IEnumerable<TestFixtureData> Sftp => All.Where(data => data.Arguments[0] is ServerKind.OpenSsh or ServerKind.ProftpdSftp);

    /// <summary>Every FTP server without TLS.</summary>
    public static IEnumerable<TestFixtureData> PlainFtp => Of(
        (ServerKind.Vsftpd, [ServerVariant.Plain]),
        (ServerKind.Proftpd, [ServerVariant.Plain]),
        (ServerKind.PureFtpd, [ServerVariant.Plain]));

    /// <summary>Every server once.</summary>
    public static IEnumerable<TestFixtureData> Each => PlainFtp.Concat(Of(
        (ServerKind.OpenSsh, [ServerVariant.Sftp]),
        (ServerKind.ProftpdSftp, [ServerVariant.Sftp]),
        (ServerKind.SshNet, [ServerVariant.Sftp])));

    /// <summary>Every server once, and those that can be set to follow links in their listings.</summary>
    public static IEnumerable<TestFixtureData> Links => Each.Concat(Of(
        (ServerKind.Proftpd, [ServerVariant.FollowingLinks]),
        (ServerKind.PureFtpd, [ServerVariant.FollowingLinks])));

    /// <summary>Those that are killed again and again.</summary>
    public static IEnumerable<TestFixtureData> Chaos => Of(
        (ServerKind.Vsftpd, [ServerVariant.Plain]),
        (ServerKind.Proftpd, [ServerVariant.Plain]),
        (ServerKind.OpenSsh, [ServerVariant.Sftp]));

    private static IEnumerable<TestFixtureData> Of(params (ServerKind Kind, ServerVariant[] Variants)[] servers) =>
        servers.SelectMany(server => server.Variants.Select(variant => new TestFixtureData(server.Kind, variant)));
}
