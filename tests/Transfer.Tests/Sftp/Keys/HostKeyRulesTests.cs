using System.Buffers;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Keys;

/// <summary>
/// What a configuration wants of host keys. Key revocation lists made by ssh-keygen, and what ssh makes of them, are in the tests with real
/// servers.
/// </summary>
public sealed class HostKeyRulesTests
{
    private const string Host = "files.example.org";
    private static readonly SshPublicKey Key = Read.PublicKey(TestKeys.Ed25519Public);

    [Test]
    public async Task A_revoked_key_is_refused_though_it_is_known_or_pinned([Values] bool pinned)
    {
        using var harness = new HostTrustHarness($"{Host} {TestKeys.Ed25519Public}");
        harness.Rules = new HostKeyRules
        { RevokedKeysFiles = [harness.Write("revoked", $"# lost\n{TestKeys.Ecdsa256Public}\n{TestKeys.Ed25519Public}\n")] };
        var refusal = await harness.RefusalAsync(Host, 22, Key, options => pinned ? options with { Pins = [Key.Fingerprint] } : options);
        Assert.That(refusal, Does.Contain("revoked").And.Contain(Key.Fingerprint));
        Assert.That(await harness.RefusalAsync(Host, 22, Read.PublicKey(TestKeys.Ecdsa384Public)), Does.Not.Contain("revoked"));
    }

    [TestCase(TestCertificates.Authority)]
    [TestCase(TestKeys.Ed25519Public)]
    public async Task A_certificate_is_revoked_with_its_authority_and_with_its_key(string listed)
    {
        using var harness = new HostTrustHarness($"@cert-authority {Host} {TestCertificates.Authority}");
        Assert.That(await harness.RefusalAsync(Host, 22, Read.Certificate(TestCertificates.Host)), Is.Null);
        harness.Rules = new HostKeyRules { RevokedKeysFiles = [harness.Write("revoked", listed + "\n")] };
        Assert.That(await harness.RefusalAsync(Host, 22, Read.Certificate(TestCertificates.Host)), Does.Contain("revoked"));
    }

    [TestCase("no key\n")]
    [TestCase("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI!!\n")]
    public async Task A_list_that_is_not_understood_refuses_every_host(string text)
    {
        using var harness = new HostTrustHarness($"{Host} {TestKeys.Ed25519Public}");
        harness.Rules = new HostKeyRules { RevokedKeysFiles = [harness.Write("revoked", text)] };
        Assert.That(await harness.RefusalAsync(Host, 22, Key), Does.Contain("not understood").And.Contain("Line 1"));
    }

    [Test]
    public async Task A_list_that_is_absent_refuses_every_host()
    {
        using var harness = new HostTrustHarness($"{Host} {TestKeys.Ed25519Public}");
        harness.Rules = new HostKeyRules { RevokedKeysFiles = [harness.Path + ".absent"] };
        Assert.That(await harness.RefusalAsync(Host, 22, Key), Does.Contain("cannot be read"));
    }

    [TestCase(4, Description = "A signature.")]
    [TestCase(77)]
    [TestCase(255, Description = "A critical extension.")]
    public void A_revocation_list_with_a_section_that_is_not_known_is_refused(byte section)
    {
        var error = Assert.Throws<TransferException>(() => KeyRevocationList.Parse(List(section, critical: true)))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
    }

    [Test]
    public void A_revocation_list_that_ends_too_soon_is_refused_and_an_extension_that_may_be_ignored_is()
    {
        var list = List(255, critical: false);
        Assert.That(KeyRevocationList.Parse(list).FindReason(Key), Is.Null);
        for (var length = 8; length < list.Length; length++)
        {
            // A whole list without its last section is one too.
            if (length != 44) Assert.Throws<TransferException>(() => KeyRevocationList.Parse(list.AsSpan(0, length)), $"{length}");
        }
    }

    [Test]
    public async Task Short_keys_are_refused_where_longer_ones_are_required()
    {
        var key = Read.PublicKey(TestRsaKeys.Public);
        using var harness = new HostTrustHarness($"{Host} {TestRsaKeys.Public}");
        harness.Rules = new HostKeyRules { MinimumRsaBits = 2048 };
        Assert.That(await harness.RefusalAsync(Host, 22, key), Is.Null);
        harness.Rules = new HostKeyRules { MinimumRsaBits = 3072 };
        Assert.That(await harness.RefusalAsync(Host, 22, key), Does.Contain("2048 bits").And.Contain("3072"));
    }

    [Test]
    public async Task A_certificate_signed_by_an_algorithm_that_is_left_out_is_refused()
    {
        using var harness = new HostTrustHarness($"@cert-authority {Host} {TestCertificates.Authority}");
        harness.Rules = new HostKeyRules { AuthoritySignatures = ["rsa-sha2-512"] };
        Assert.That(await harness.RefusalAsync(Host, 22, Read.Certificate(TestCertificates.Host)),
            Does.Contain("ssh-ed25519").And.Contain("CASignatureAlgorithms"));
        harness.Rules = new HostKeyRules { AuthoritySignatures = ["ssh-ed25519"] };
        Assert.That(await harness.RefusalAsync(Host, 22, Read.Certificate(TestCertificates.Host)), Is.Null);
    }

    [TestCase(22)]
    [TestCase(2222)]
    public async Task New_hosts_are_written_down_as_hashes_where_that_is_wanted(int port)
    {
        using var harness = new HostTrustHarness();
        harness.Rules = new HostKeyRules { HashesNames = true };
        Assert.That(await harness.RefusalAsync(Host, port, Key, options => options with { AcceptNew = true }), Is.Null);
        Assert.That(await File.ReadAllTextAsync(harness.Path), Does.StartWith("|1|").And.Not.Contain(Host));
        Assert.That(await harness.RefusalAsync(Host, port, Key), Is.Null);
        Assert.That(await harness.RefusalAsync("other.example.org", port, Key), Does.Contain("not known"));
    }

    private static byte[] List(byte section, bool critical)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.Write("SSHKRL\n\0"u8);
        writer.WriteUInt32(1);
        for (var i = 0; i < 6; i++) writer.WriteUInt32(0);
        writer.WriteString(""u8);
        writer.WriteString(""u8);
        var content = new ArrayBufferWriter<byte>();
        content.WriteString("name@example.org"u8);
        content.WriteBoolean(critical);
        writer.WriteByte(section);
        writer.WriteString(content.WrittenSpan);
        return writer.WrittenSpan.ToArray();
    }
}
