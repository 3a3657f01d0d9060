using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Transfer.Ftp;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Security;

/// <summary>vsftpd that wants a certificate of the client, on data connections as on the control connection (require_cert).</summary>
[Parallelizable]
public sealed class ClientCertificateTests
{
    private static readonly ServerVariant[] Variants = [ServerVariant.Explicit, ServerVariant.ExplicitTls12, ServerVariant.ExplicitReuse];

    [TestCaseSource(nameof(Variants))]
    public async Task Files_and_listings_go_over_data_connections_that_show_the_certificate(ServerVariant variant)
    {
        await using var server = await StartAsync(variant);
        using var certificate = Create();
        await using var client = Client(server, [certificate]);
        var content = Bytes.Random(200_000);
        for (var i = 0; i < 3; i++)
        {
            using var stream = new MemoryStream(content);
            await client.UploadAsync(stream, $"/file{i}");
        }

        using var fetched = new MemoryStream();
        await client.DownloadAsync("/file0", fetched);
        Bytes.AssertSame(fetched.ToArray(), content);
        Assert.That(await client.ListAsync("/").CountAsync(), Is.EqualTo(3));
    }

    // Under TLS 1.3 the refusal comes behind the handshake.
    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task Without_a_certificate_the_server_takes_no_log_in(SslProtocols version)
    {
        await using var server = await StartAsync(version == SslProtocols.Tls12 ? ServerVariant.ExplicitTls12 : ServerVariant.Explicit);
        await using var client = Client(server, [], version);
        var error = (await Assert.CatchAsync<TransferException>(() => client.ConnectAsync().AsTask()))!;
        Assert.That((error.Error, error.IsTransient), Is.EqualTo((TransferError.Tls, false)), error.ToString());
        if (version == SslProtocols.Tls13) Assert.That(error.Message, Does.Contain("alert").And.Contain("--cert"));
    }

    private static Task<RealServer> StartAsync(ServerVariant variant) =>
        RealServer.StartAsync(new VsftpdServer(variant with { VsftpdSettings = "ssl_request_cert=YES\nrequire_cert=YES" }));

    private static TransferClient Client(RealServer server, IReadOnlyList<X509Certificate2> certificates,
        SslProtocols version = SslProtocols.None) => server.Client(options =>
    {
        var ftp = (FtpOptions)options;
        return ftp with
        {
            Tls = ftp.Tls with { ClientCertificates = certificates, Protocols = version },
            IdleTimeout = TimeSpan.FromSeconds(10),
        };
    });

    private static X509Certificate2 Create()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=client", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }
}
