using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Security;

/// <summary>Which TLS version comes about by itself, as the servers' logs tell (Pure-FTPd's does not).</summary>
[TestFixtureSource(nameof(Logging))]
public sealed class TlsVersionTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    public static IEnumerable<TestFixtureData> Logging => Fixtures.Tls.Where(data => !Equals(data.Arguments[0], ServerKind.PureFtpd));

    [Test]
    public async Task The_best_version_is_used_that_the_server_and_its_rules_allow()
    {
        await using var client = Client(options => options with { MaxSessions = 1 });

        for (var i = 0; i < 3; i++)
        {
            using var source = new MemoryStream(Bytes.Random(1000));
            await client.UploadAsync(source, $"{Remote}/{i}");
        }

        // With required resumption 1.3 cannot work from .NET: the client finds that out and goes on with 1.2.
        var version = Variant.OnlyTls12 || Variant.RequiresReuse ? "TLSv1.2" : "TLSv1.3";
        Assert.That(Log.Split('\n').Last(line => line.Contains("TLSv1.", StringComparison.Ordinal)), Does.Contain(version));
        Assert.That(RemoteNames(), Has.Length.EqualTo(3));
    }
}
