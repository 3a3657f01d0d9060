using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Transfer.Batch.Carriers.Direct;
using Transfer.TestSupport.Batch;

namespace Transfer.Tests.Batch.Direct;

/// <summary>What is agreed on where one side has no TLS 1.3, and what is not.</summary>
public sealed class DirectTlsTests
{
    private const TlsCipherSuite Good = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384;
    private const TlsCipherSuite Weak = TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256;

    [TestCase(true)]
    [TestCase(false)]
    public async Task Without_1_3_at_one_side_1_2_is_spoken_with_fresh_keys_and_GCM(bool atSender)
    {
        var (sender, receiver, _) = await ShakeHandsAsync(
            options => { if (atSender) options.EnabledSslProtocols = SslProtocols.Tls12; },
            options => { if (!atSender) options.EnabledSslProtocols = SslProtocols.Tls12; });
        using var senderEnd = sender;
        using var receiverEnd = receiver;
        foreach (var tls in new[] { sender, receiver })
        {
            Assert.That(tls.SslProtocol, Is.EqualTo(SslProtocols.Tls12));
            Assert.That(tls.NegotiatedCipherSuite, Is.EqualTo(Good).Or.EqualTo(TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256));
            DirectTls.Check(tls);
        }
    }

    [Test]
    public async Task With_1_3_at_both_sides_it_is_spoken()
    {
        if (OperatingSystem.IsMacOS()) Assert.Ignore("Its TLS has no 1.3.");
        var (sender, receiver, _) = await ShakeHandsAsync(_ => { }, _ => { });
        using var senderEnd = sender;
        using var receiverEnd = receiver;
        Assert.That(sender.SslProtocol, Is.EqualTo(SslProtocols.Tls13));
        DirectTls.Check(sender);
    }

    [TestCase(true)]
    [TestCase(false)]
    [Platform("Linux")]
    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    public async Task Weaker_suites_are_not_agreed_on(bool atSender)
    {
        // One side is a stranger's, and has nothing else.
        var (sender, receiver, fault) = await ShakeHandsAsync(
            options => { if (atSender) Weaken(options); },
            options => { if (!atSender) Weaken(options); });
        sender.Dispose();
        receiver.Dispose();
        Assert.That(fault, Is.InstanceOf<AuthenticationException>().Or.InstanceOf<IOException>());
    }

    [Test]
    [Platform("Linux")]
    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    public async Task Where_suites_can_not_be_chosen_beforehand_a_weaker_one_is_refused_afterwards()
    {
        // As on Windows: neither side says which ones it takes.
        var (sender, receiver, fault) = await ShakeHandsAsync(Weaken, Weaken);
        using var senderEnd = sender;
        using var receiverEnd = receiver;
        Assert.That(fault, Is.Null);
        Assert.That(sender.NegotiatedCipherSuite, Is.EqualTo(Weak));
        foreach (var tls in new[] { sender, receiver })
        {
            Assert.That(() => DirectTls.Check(tls),
                Throws.InstanceOf<TransferConnectionException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Tls));
        }
    }

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static void Weaken(SslClientAuthenticationOptions options)
    {
        options.EnabledSslProtocols = SslProtocols.Tls12;
        options.CipherSuitesPolicy = new CipherSuitesPolicy([Weak]);
    }

    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    private static void Weaken(SslServerAuthenticationOptions options)
    {
        options.EnabledSslProtocols = SslProtocols.Tls12;
        options.CipherSuitesPolicy = new CipherSuitesPolicy([Weak]);
    }

    private static async Task<(SslStream Sender, SslStream Receiver, Exception? Fault)> ShakeHandsAsync(
        Action<SslClientAuthenticationOptions> atSender, Action<SslServerAuthenticationOptions> atReceiver)
    {
        using var identity = DirectIdentity.Create();
        using var certificate = identity.CreateCertificate(DateTimeOffset.UtcNow);
        using var listener = new TcpListener(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        var outgoing = new TcpClient();
        await outgoing.ConnectAsync((System.Net.IPEndPoint)listener.LocalEndpoint);
        var incoming = await listener.AcceptTcpClientAsync();
        var (sender, receiver) = (new SslStream(outgoing.GetStream()), new SslStream(incoming.GetStream()));
        var (client, server) = (DirectTls.ForSender(identity.Token), DirectTls.ForReceiver(certificate));
        atSender(client);
        atReceiver(server);
        try
        {
            var both = Task.WhenAll(CloseAtFaultAsync(sender, sender.AuthenticateAsClientAsync(client)),
                CloseAtFaultAsync(receiver, receiver.AuthenticateAsServerAsync(server)));
            await both.WaitAsync(DirectHarness.Patience);
            return (sender, receiver, null);
        }
        catch (Exception e) when (e is AuthenticationException or IOException or ObjectDisposedException)
        {
            return (sender, receiver, e);
        }
    }

    // The other side is not to wait for one that has given up.
    private static async Task CloseAtFaultAsync(SslStream tls, Task handshake)
    {
        try
        {
            await handshake;
        }
        catch
        {
            await tls.DisposeAsync();
            throw;
        }
    }
}
