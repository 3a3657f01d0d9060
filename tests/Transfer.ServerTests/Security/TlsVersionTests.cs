using System.Security.Authentication;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Security;

/// <summary>Which TLS version comes about by itself, as the servers' logs tell (Pure-FTPd's does not).</summary>
[Parallelizable]
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

        // Sessions of TLS 1.3 cannot be resumed from .NET. A server whose greeting says that it usually insists on that is met with 1.2;
        // behind
        // implicit TLS there is no greeting yet, so 1.3 is tried, and given up when a transfer is refused.
        var expected = Variant is { Tls: ServerTls.Implicit, RequiresReuse: false } ? "TLSv1.3" : "TLSv1.2";
        Assert.That(LastVersion(), Does.Contain(expected));
        Assert.That(RemoteNames(), Has.Length.EqualTo(3));
    }

    [Test]
    public async Task TLS_13_is_used_when_it_is_asked_for_and_possible()
    {
        if (Variant.OnlyTls12 || Variant.RequiresReuse) Assert.Pass("Not possible here: TlsTests shows the refusal.");
        await using var client = Ftp.FtpClient(options => options with { Tls = options.Tls with { Protocols = SslProtocols.Tls13 } });

        using var source = new MemoryStream(Bytes.Random(1000));
        await client.UploadAsync(source, Remote + "/file");

        Assert.That(LastVersion(), Does.Contain("TLSv1.3"));
    }

    private string LastVersion() => Log.Split('\n').Last(line => line.Contains("TLSv1.", StringComparison.Ordinal));
}
