using System.Numerics;
using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Sftp;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Testing.Ssh;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>Negotiation, agreement and derivation, apart from a connection.</summary>
public sealed class KexTests
{
    private static readonly KexInit Client = new()
    {
        Methods = ["curve25519-sha256", "ecdh-sha2-nistp256", KexNames.ClientStrict],
        HostKeys = ["ssh-ed25519", "rsa-sha2-512"],
        CiphersToServer = ["aes128-gcm@openssh.com", "aes128-ctr"],
        CiphersToClient = ["aes128-gcm@openssh.com", "aes128-ctr"],
        MacsToServer = ["hmac-sha2-256"],
        MacsToClient = ["hmac-sha2-256"],
    };

    private static IEnumerable<string> Methods => KexAlgorithm.All.Select(method => method.Name);

    [Test]
    public void The_clients_order_decides_and_a_cipher_that_authenticates_takes_no_mac()
    {
        var server = Client with
        {
            Methods = ["ecdh-sha2-nistp256", "curve25519-sha256"],
            CiphersToClient = ["aes128-ctr"],
            MacsToServer = ["other"]
        };
        var chosen = NegotiatedAlgorithms.Negotiate(Client, server);
        Assert.That(chosen, Is.EqualTo(new NegotiatedAlgorithms(
            "curve25519-sha256", "ssh-ed25519", "aes128-gcm@openssh.com", "aes128-ctr", null, "hmac-sha2-256", GuessIsWrong: true)));
    }

    [Test]
    public void Nothing_in_common_names_both_sides()
    {
        var server = Client with { HostKeys = ["ssh-dss", "evil\u001b[2J"] };
        var failure = Assert.Throws<TransferException>(() => NegotiatedAlgorithms.Negotiate(Client, server))!;
        Assert.That(failure.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(failure.Message, Does.Contain("ssh-ed25519").And.Contain("ssh-dss"));
        Assert.That(failure.Message, Has.None.EqualTo('\u001b'));
    }

    [Test]
    public void A_marker_is_never_chosen_as_a_method()
    {
        var server = Client with { Methods = [KexNames.ClientStrict, "ecdh-sha2-nistp256"] };
        Assert.That(NegotiatedAlgorithms.Negotiate(Client, server).Method, Is.EqualTo("ecdh-sha2-nistp256"));
    }

    [Test]
    public void KexInit_reads_what_it_writes_and_refuses_less()
    {
        var payload = Client.ToPayload();
        var read = KexInit.Parse(payload);
        Assert.That(read.Methods, Is.EqualTo(Client.Methods));
        Assert.That(read.MacsToClient, Is.EqualTo(Client.MacsToClient));
        Assert.That(read.GuessFollows, Is.False);
        for (var count = 1; count < payload.Length; count++)
        {
            Assert.That(() => KexInit.Parse(payload.AsSpan(0, count)),
                Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
        }
    }

    [Test]
    public void Arbitrary_bytes_are_a_KexInit_or_a_protocol_error() => Check.QuickThrowOnFailure(Prop.ForAll<byte[]>(bytes =>
    {
        try
        {
            KexInit.Parse(bytes ?? []);
            return true;
        }
        catch (TransferException e)
        {
            return e.Error == TransferError.Protocol;
        }
    }));

    [TestCaseSource(nameof(Methods))]
    public void Both_sides_of_every_method_agree(string method)
    {
        using var client = KexAlgorithm.Get(method).Create();
        using var server = ServerAgreement.Create(method);
        var secret = server.Agree(client.PublicValue.Span);
        Assert.That(server.PublicValue.ToArray(), Is.Not.EqualTo(client.PublicValue.ToArray()));
        Assert.That(client.Agree(server.PublicValue.Span), Is.EqualTo(secret));
    }

    [TestCaseSource(nameof(Methods))]
    public void Values_that_are_none_are_refused(string method)
    {
        using var agreement = KexAlgorithm.Get(method).Create();
        foreach (var value in BadValues(agreement.PublicValue.ToArray()))
        {
            Assert.That(() => agreement.Agree(value),
                Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
        }
    }

    [Test]
    public void The_groups_are_safe_primes_and_their_edges_are_refused()
    {
        foreach (var group in new[] { DhGroup.Group14, DhGroup.Group16 })
        {
            // Fermat's test says prime for p and for (p - 1) / 2.
            Assert.That(BigInteger.ModPow(2, group.Prime - 1, group.Prime).IsOne);
            var half = (group.Prime - 1) / 2;
            Assert.That(BigInteger.ModPow(2, half - 1, half).IsOne);
            foreach (var edge in new[] { BigInteger.Zero, BigInteger.One, group.Prime - 1, group.Prime, group.Prime + 2 })
            {
                Assert.That(() => group.DecodePublic(edge.ToByteArray(isUnsigned: true, isBigEndian: true)),
                    Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
            }
        }
    }

    [Test]
    public void Keys_are_derived_as_the_RFC_says()
    {
        byte[] k = [0, 0, 0, 4, 0, 0x80, 1, 2], hash = [3, 4], session = [5, 6];
        var derivation = new KeyDerivation(HashAlgorithmName.SHA256, k, hash, session);
        var first = SHA256.HashData([.. k, .. hash, (byte)'C', .. session]);
        var second = SHA256.HashData([.. k, .. hash, .. first]);
        Assert.That(derivation.Derive('C', 64), Is.EqualTo((byte[])[.. first, .. second]));
        Assert.That(derivation.Derive('C', 16), Is.EqualTo(first[..16]));
    }

    [Test]
    public void Host_keys_that_are_known_are_asked_for_first_and_certificates_only_then()
    {
        var all = new SshAlgorithms().HostKeys;
        Assert.That(HostKeyAlgorithm.Order(all, []), Has.None.Contains("cert").And.Property("Length").EqualTo(6));
        Assert.That(HostKeyAlgorithm.Order(all, ["ssh-rsa"]).Take(3), Is.EqualTo(new[] { "rsa-sha2-512", "rsa-sha2-256", "ssh-ed25519" }));
        Assert.That(HostKeyAlgorithm.Order(all, ["ssh-ed25519-cert-v01@openssh.com", "ecdsa-sha2-nistp384"]).Take(2),
            Is.EqualTo(new[] { "ssh-ed25519-cert-v01@openssh.com", "ecdsa-sha2-nistp384" }));
    }

    [Test]
    public void Unknown_names_and_empty_lists_are_refused_with_what_there_is()
    {
        Assert.That(() => new SshAlgorithms { Ciphers = ["aes128-cbc"] },
            Throws.ArgumentException.With.Message.Contains("aes128-cbc").And.Message.Contains("aes256-ctr"));
        Assert.That(() => new SshAlgorithms { KeyExchanges = [] }, Throws.ArgumentException.With.Message.Contains("curve25519-sha256"));
        Assert.That(new SshAlgorithms { Macs = ["hmac-sha2-512"] }.Macs, Is.EqualTo(new[] { "hmac-sha2-512" }));
    }

    private static IEnumerable<byte[]> BadValues(byte[] good)
    {
        yield return [];
        yield return new byte[good.Length];
        if (good.Length is 32 or 1216) yield return good[..^1];
        if (good.Length is 1216)
        {
            yield return good; // the client's own: no ciphertext
            yield return new byte[1120]; // an X25519 key of small order behind a ciphertext
        }

        if (good[0] != 4 || good.Length % 2 == 0 || good.Length > 133) yield break;
        var off = good.ToArray();
        off[^1] ^= 1;
        yield return off; // not on the curve
        yield return [2, .. good[1..(1 + (good.Length / 2))]]; // compressed
        yield return good[..^1];
    }
}
