using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Security;

/// <summary>Certificates that must not be accepted, on real servers; the password never leaves.</summary>
[TestFixtureSource(nameof(Bad))]
[Parallelizable]
public sealed class CertificateTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private static readonly ServerCertificate[] BadOnes =
        [ServerCertificate.Expired, ServerCertificate.Foreign, ServerCertificate.SelfSigned, ServerCertificate.OtherName];

    public static IEnumerable<TestFixtureData> Bad =>
        from kind in Fixtures.PlainFtp.Select(data => (ServerKind)data.Arguments[0]!)
        from certificate in BadOnes
        select new TestFixtureData(kind, ServerVariant.Explicit with { Name = certificate.ToString(), Certificate = certificate });

    [TestCase("localhost")]
    [TestCase("127.0.0.1")]
    public async Task The_default_check_refuses_it_before_the_log_in(string host)
    {
        await using var client = Server.Client(host: host);

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Tls), error.ToString());
        Assert.That(error.IsTransient, Is.False);
        Assert.That(Log, Does.Not.Contain("USER " + Server.Credential.UserName));
    }

    [TestCase("localhost")]
    [TestCase("127.0.0.1")]
    public async Task Its_pinned_key_is_accepted_and_another_is_not(string host)
    {
        await using var pinned = Ftp.FtpClient(options => options with { Tls = options.Tls with { Pins = [Pin()] } }, host);
        using var source = new MemoryStream(Bytes.Random(1000));
        await pinned.UploadAsync(source, Remote + "/file");
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }));

        var otherPin = "SHA256:" + Convert.ToBase64String(new byte[32]);
        await using var other = Ftp.FtpClient(options => options with { Tls = options.Tls with { Pins = [otherPin] } }, host);
        var error = (await Assert.CatchAsync<TransferException>(async () => await other.ConnectAsync()))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Tls), error.ToString());
    }

    [Test]
    public async Task It_is_accepted_when_any_is()
    {
        await using var client = Ftp.FtpClient(options => options with { Tls = options.Tls with { AcceptAnyCertificate = true } });

        using var source = new MemoryStream(Bytes.Random(1000));
        await client.UploadAsync(source, Remote + "/file");

        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }));
    }

    private string Pin()
    {
        using var certificate = X509Certificate2.CreateFromPem(File.ReadAllText(Ftp.CertificateFile));
        return "SHA256:" + Convert.ToBase64String(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));
    }
}
