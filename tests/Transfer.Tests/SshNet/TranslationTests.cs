using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Text;
using Renci.SshNet;
using Transfer.Sftp;
using Transfer.SshNet;

namespace Transfer.Tests.SshNet;

/// <summary>Connections of SSH.NET as options of Transfer.Sftp.</summary>
[TestFixture]
public sealed class TranslationTests
{
    private static readonly TransferCredential Password = new("user", "se cret");

    private static IEnumerable<TestCaseData> Keys()
    {
        yield return new TestCaseData(Pem("RSA PRIVATE KEY",
            RSA.Create(2048).ExportRSAPrivateKey())).SetArgDisplayNames("RSA, 2,048 bits");
        yield return new TestCaseData(Pem("RSA PRIVATE KEY",
            RSA.Create(3072).ExportRSAPrivateKey())).SetArgDisplayNames("RSA, 3,072 bits");
        foreach (var curve in (ECCurve[])[ECCurve.NamedCurves.nistP256, ECCurve.NamedCurves.nistP384, ECCurve.NamedCurves.nistP521])
        {
            yield return new TestCaseData(Pem("EC PRIVATE KEY",
                ECDsa.Create(curve).ExportECPrivateKey())).SetArgDisplayNames("ECDSA, " + curve.Oid.FriendlyName);
        }
        yield return new TestCaseData(Pem("PRIVATE KEY", Ed25519())).SetArgDisplayNames("Ed25519");
    }

    [TestCaseSource(nameof(Keys))]
    public async Task A_private_key_is_the_same_key(string pem)
    {
        using var file = new PrivateKeyFile(new MemoryStream(Encoding.ASCII.GetBytes(pem)));

        var options = await Connection(new PrivateKeyAuthenticationMethod("user", file)).ToSftpOptionsAsync();

        using var identity = options.Identities.Single();
        Assert.That(identity.Fingerprint,
            Is.EqualTo("SHA256:" + Convert.ToBase64String(SHA256.HashData(file.HostKeyAlgorithms.First().Data)).TrimEnd('=')));
    }

    [Test]
    public async Task Address_time_out_encoding_and_channels_are_taken_over()
    {
        var connection = Connection(new PasswordAuthenticationMethod("user", "se cret"));
        connection.Timeout = TimeSpan.FromSeconds(7);
        connection.Encoding = Encoding.Latin1;
        connection.MaxSessions = 3;

        var options = await connection.ToSftpOptionsAsync(new SftpOptions
        {
            Credential = Password,
            IdleTimeout = TimeSpan.FromSeconds(9)
        });

        Assert.Multiple(() =>
        {
            Assert.That(options.Dial.ConnectTimeout, Is.EqualTo(TimeSpan.FromSeconds(7)));
            Assert.That(options.Encoding, Is.EqualTo(Encoding.Latin1));
            Assert.That((options.SessionsPerConnection, options.IdleTimeout, options.Credential),
                Is.EqualTo((3, TimeSpan.FromSeconds(9), Password)));
            Assert.That(options.Algorithms.Ciphers, Is.EqualTo(new SshAlgorithms().Ciphers), "nothing was changed");
            Assert.That(connection.ToEndpoint("/~/in box").AbsoluteUri, Is.EqualTo("sftp://user@files.example.com:2222/~/in%20box"));
        });
    }

    [Test]
    public void An_address_of_version_6_and_a_user_with_odd_signs_are_an_endpoint()
    {
        var endpoint = new ConnectionInfo("::1", 22, "us@er:x/y", new NoneAuthenticationMethod("us@er:x/y")).ToEndpoint("/a#b");

        Assert.That((endpoint.Host, Uri.UnescapeDataString(endpoint.UserInfo), Uri.UnescapeDataString(endpoint.AbsolutePath),
            endpoint.Fragment), Is.EqualTo(("[::1]", "us@er:x/y", "/a#b", "")));
        Assert.That(() => Connection(new NoneAuthenticationMethod("user")).ToEndpoint("inbox"), Throws.ArgumentException);
    }

    [TestCase(ProxyTypes.Http, ProxyKind.HttpConnect)]
    [TestCase(ProxyTypes.Socks5, ProxyKind.Socks5)]
    public async Task A_proxy_is_taken_over(ProxyTypes type, ProxyKind kind)
    {
        var connection = new ConnectionInfo("files.example.com", 22, "user", type, "proxy.example.com", 3128, "p", "q",
            new NoneAuthenticationMethod("user"));

        var proxy = (await connection.ToSftpOptionsAsync()).Dial.Proxy!;

        Assert.That((proxy.Kind, proxy.Host, proxy.Port, proxy.Credential?.UserName, proxy.Credential?.Password),
            Is.EqualTo((kind, "proxy.example.com", 3128, "p", "q")));
    }

    [Test]
    public void What_has_no_counterpart_is_refused_by_its_name()
    {
        var socks4 = new ConnectionInfo("files.example.com", 22, "user", ProxyTypes.Socks4, "proxy.example.com", 1080, null, null,
            new NoneAuthenticationMethod("user"));
        var compressed = Connection(new NoneAuthenticationMethod("user"));
        compressed.CompressionAlgorithms.Remove("none");
        var old = Connection(new NoneAuthenticationMethod("user"));
        foreach (var name in old.Encryptions.Keys.Where(name => !name.EndsWith("cbc", StringComparison.Ordinal)).ToList())
        {
            old.Encryptions.Remove(name);
        }
        var other = Connection(new NoneAuthenticationMethod("another"));

        Assert.Multiple(() =>
        {
            foreach (var (connection, property) in new[] { (socks4, "ProxyType"), (compressed, "CompressionAlgorithms"),
                (old, "Encryptions"), (other, "AuthenticationMethods[0]") })
            {
                Assert.That(async () =>
                    await connection.ToSftpOptionsAsync(), Throws.InstanceOf<NotSupportedException>().With.Message.Contain(property));
            }
        });
    }

    [Test]
    public void What_SSH_NET_does_not_give_away_must_be_in_the_options()
    {
        var password = Connection(new NoneAuthenticationMethod("user"), new PasswordAuthenticationMethod("user", "se cret"));
        var asked = Connection(new KeyboardInteractiveAuthenticationMethod("user"));

        Assert.Multiple(() =>
        {
            Assert.That(async () => await password.ToSftpOptionsAsync(),
                Throws.ArgumentException.With.Message.Contain("AuthenticationMethods[1]").And.Message.Not.Contain("se cret"));
            Assert.That(async () => await asked.ToSftpOptionsAsync(), Throws.ArgumentException.With.Message.Contain("Interaction"));
            Assert.That(async () =>
                await password.ToSftpOptionsAsync(new SftpOptions { Credential = new TransferCredential("another", "x") }),
                Throws.ArgumentException.With.Message.Contain("Credential"));
            Assert.That(async () => await password.ToSftpOptionsAsync(new SftpOptions { Credential = Password }), Throws.Nothing);
            Assert.That(async () => await asked.ToSftpOptionsAsync(new SftpOptions { Interaction = (_, _) => default }), Throws.Nothing);
        });
    }

    [Test]
    public async Task Of_algorithms_that_were_changed_those_that_both_have_are_left_in_the_applications_order()
    {
        var connection = Connection(new NoneAuthenticationMethod("user"));
        connection.Encryptions.Remove("aes128-ctr");
        connection.Encryptions.SetPosition("aes256-gcm@openssh.com", 0);

        var options = await connection.ToSftpOptionsAsync();

        Assert.That(options.Algorithms.Ciphers,
            Is.EqualTo(new[] { "aes256-gcm@openssh.com", "aes192-ctr", "aes256-ctr", "aes128-gcm@openssh.com",
            "chacha20-poly1305@openssh.com" }));
        Assert.That(options.Algorithms.Macs, Is.EqualTo(new SshAlgorithms().Macs));
    }

    private static ConnectionInfo Connection(params AuthenticationMethod[] methods) => new("files.example.com", 2222, "user", methods);

    private static string Pem(string label, byte[] key) => PemEncoding.WriteString(label, key);

    private static byte[] Ed25519()
    {
        var writer = new AsnWriter(AsnEncodingRules.DER);
        using (writer.PushSequence())
        {
            writer.WriteInteger(0);
            using (writer.PushSequence()) writer.WriteObjectIdentifier("1.3.101.112");
            using (writer.PushOctetString()) writer.WriteOctetString(RandomNumberGenerator.GetBytes(32));
        }
        return writer.Encode();
    }
}
