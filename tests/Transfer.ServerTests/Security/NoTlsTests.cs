using Transfer.Ftp;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Security;

/// <summary>
/// Servers without TLS, clients that were told to use it: nothing falls back, and no name or password goes out in the clear.
/// </summary>
[Parallelizable]
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.PlainFtp))]
public sealed class NoTlsTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    // Refusing AUTH may be the work of an attacker; FTP in clear text at a port of ftps: is the wrong port.
    [TestCase("ftpes", TransferError.Tls)]
    [TestCase("ftps", TransferError.Protocol)]
    public async Task The_connection_fails(string scheme, TransferError kind)
    {
        var url = new UriBuilder(Server.Url()) { Scheme = scheme }.Uri;
        await using var client = new FtpTransferClient(url,
            new FtpOptions { Credential = Server.Credential, IdleTimeout = TimeSpan.FromSeconds(10) });

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(kind), error.ToString());
        Assert.That(Log, Does.Not.Contain("USER " + Server.Credential.UserName));
    }
}
