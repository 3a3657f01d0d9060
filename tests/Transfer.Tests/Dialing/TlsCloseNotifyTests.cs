using System.Net.Security;
using Transfer.Dialing;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Dialing;

[CancelAfter(30_000)]
internal sealed class TlsCloseNotifyTests
{
    [Test]
    public async Task A_connection_that_has_failed_is_lost(CancellationToken ct)
    {
        using var certificate = TestCertificate.Create();
        var (near, far) = MemoryLink.Create();
        using var client = new SslStream(near, leaveInnerStreamOpen: true);
        using var server = new SslStream(far, leaveInnerStreamOpen: true);
        await Task.WhenAll(
            server.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate }, ct),
            client.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                RemoteCertificateValidationCallback = (_, presented, _, _) => certificate.Equals(presented)
            }, ct));

        // A record that is none of this connection (RFC 8446 section 5.2).
        await far.WriteAsync(new byte[] { 23, 3, 3, 0, 32 }.Concat(new byte[32]).ToArray(), ct);
        await Assert.CatchAsync(async () => await client.ReadExactlyAsync(new byte[1], ct));

        await Assert.ThrowsAsync<IOException>(() => TlsCloseNotify.SendAsync(client, ct));
    }
}
