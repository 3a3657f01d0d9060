using System.Security.Cryptography.X509Certificates;
using Transfer.Ftp.Protocol;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Ftp.Protocol;

/// <summary>The certificates that are trusted in place of the system's, against the chains that servers send.</summary>
[CancelAfter(30_000)]
internal sealed class AuthorityTests : IDisposable
{
    private readonly TestAuthority _root = TestAuthority.CreateRoot("Root");
    private readonly TestAuthority _middle;
    private readonly TestAuthority _twin;
    private readonly TestAuthority _low;
    private readonly X509Certificate2 _own;

    public AuthorityTests()
    {
        _middle = _root.CreateAuthority("Middle");
        // The same name, and another key.
        _twin = _root.CreateAuthority("Middle");
        _low = _middle.CreateAuthority("Low");
        _own = _middle.Issue("localhost");
    }

    public void Dispose()
    {
        _own.Dispose();
        _low.Dispose();
        _twin.Dispose();
        _middle.Dispose();
        _root.Dispose();
    }

    [TestCase("root", "middle", null)]
    [TestCase("root", "middle root", null)]
    [TestCase("root middle", "", null)]
    [TestCase("middle", "", null)]
    [TestCase("middle", "middle", null)]
    [TestCase("middle", "middle root", null)]
    [TestCase("own", "", null)]
    [TestCase("own", "middle root", null)]
    [TestCase("root", "", "the certificates in between")]
    [TestCase("twin", "", "no authority that this system trusts")]
    [TestCase("twin", "twin root", "no authority that this system trusts")]
    [TestCase("low", "middle root", "no authority that this system trusts")]
    public Task An_authority_in_between_and_the_servers_own_certificate_can_be_trusted(string trusted, string sent, string? refusal) =>
        ConnectAsync(_own, trusted, sent, "localhost", refusal);

    [Test]
    public async Task What_a_trusted_certificate_does_not_vouch_for_is_refused_still()
    {
        using var expired = _middle.Issue("localhost", expired: true);
        using var below = _low.Issue("localhost");
        await ConnectAsync(_own, "own", "", "other.example", "it is for localhost, not for other.example");
        await ConnectAsync(expired, "middle", "", "localhost", "expired on");
        await ConnectAsync(below, "middle", "", "localhost", "no authority that this system trusts");
        await ConnectAsync(below, "own", "low middle", "localhost", "no authority that this system trusts");
    }

    [Test]
    public async Task A_trusted_certificate_of_a_server_is_no_authority()
    {
        using var server = _middle.CreateAuthority("server.example", mayIssue: false);
        using var issued = server.Issue("localhost");
        await ConnectAsync(issued, [server.Certificate], [server.Certificate], "localhost", "its chain is not valid");
        await ConnectAsync(issued, [server.Certificate], [], "localhost", "its chain is not valid");
    }

    private Task ConnectAsync(X509Certificate2 certificate, string trusted, string sent, string host, string? refusal) =>
        ConnectAsync(certificate, Named(trusted), Named(sent), host, refusal);

    private static async Task ConnectAsync(X509Certificate2 certificate, X509Certificate2Collection trusted,
        X509Certificate2Collection sent, string host, string? refusal)
    {
        await using var h = await ControlHarness.OpenAsync(with: settings => settings with
        {
            Tls = new TlsSettings { ServerName = host, Authorities = trusted },
        });
        if (refusal is null)
        {
            await using var server = await h.StartTlsAsync(certificate, chain: sent);
            Assert.That(h.Control.IsTls, Is.True);
            return;
        }
        var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.StartTlsAsync(certificate, chain: sent));
        Assert.That((e!.Error, h.Control.IsTls), Is.EqualTo((TransferError.Tls, false)));
        Assert.That(e.Message, Does.Contain(refusal));
    }

    private X509Certificate2Collection Named(string names) =>
    [
        .. names.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(name => name switch
        {
            "root" => _root.Certificate,
            "middle" => _middle.Certificate,
            "twin" => _twin.Certificate,
            "low" => _low.Certificate,
            _ => X509CertificateLoader.LoadCertificate(_own.RawData),
        }),
    ];
}
