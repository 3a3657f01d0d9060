using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Support;

/// <summary>Which servers and variants a fixture runs against.</summary>
public static class Fixtures
{
    /// <summary>Every variant that each server has.</summary>
    public static IEnumerable<TestFixtureData> All => Of(
        (ServerKind.Vsftpd, [ServerVariant.Plain, ServerVariant.Explicit, ServerVariant.ExplicitTls12, ServerVariant.ExplicitReuse, ServerVariant.Implicit, ServerVariant.ImplicitReuse]),
        (ServerKind.Proftpd, [ServerVariant.Plain, ServerVariant.Explicit, ServerVariant.ExplicitTls12, ServerVariant.ExplicitReuse, ServerVariant.Implicit, ServerVariant.ImplicitReuse]),
        (ServerKind.PureFtpd, [ServerVariant.Plain, ServerVariant.Explicit, ServerVariant.ExplicitTls12]));

    /// <summary>The variants with TLS.</summary>
    public static IEnumerable<TestFixtureData> Tls => All.Where(data => ((ServerVariant)data.Arguments[1]!).Tls != ServerTls.Off);

    /// <summary>Plain, and the kind of TLS that each server's users most likely meet.</summary>
    public static IEnumerable<TestFixtureData> Main => Of(
        (ServerKind.Vsftpd, [ServerVariant.Plain, ServerVariant.ExplicitReuse]),
        (ServerKind.Proftpd, [ServerVariant.Plain, ServerVariant.ExplicitReuse]),
        (ServerKind.PureFtpd, [ServerVariant.Plain, ServerVariant.Explicit]));

    /// <summary>Every server without TLS.</summary>
    public static IEnumerable<TestFixtureData> Plain => Of(
        (ServerKind.Vsftpd, [ServerVariant.Plain]),
        (ServerKind.Proftpd, [ServerVariant.Plain]),
        (ServerKind.PureFtpd, [ServerVariant.Plain]));

    private static IEnumerable<TestFixtureData> Of(params (ServerKind Kind, ServerVariant[] Variants)[] servers) =>
        servers.SelectMany(server => server.Variants.Select(variant => new TestFixtureData(server.Kind, variant)));
}
