using Transfer.Sftp.Keys;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Keys;

public sealed class CertificateTests
{
    [Test]
    public void A_users_certificate_tells_all_that_it_says()
    {
        var certificate = Read.Certificate(TestCertificates.User);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(certificate.Type, Is.EqualTo("ssh-ed25519-cert-v01@openssh.com"));
            Assert.That(certificate.Key.Fingerprint, Is.EqualTo(TestKeys.Ed25519Fingerprint));
            Assert.That(certificate.Authority.ToArray(), Is.EqualTo(Read.Blob(TestCertificates.Authority)));
            Assert.That(certificate.Kind, Is.EqualTo(SshCertificateKind.User));
            Assert.That(certificate.Serial, Is.EqualTo(7));
            Assert.That(certificate.KeyId, Is.EqualTo("test user"));
            Assert.That(certificate.Principals, Is.EqualTo(new[] { "alice", "bob" }));
            Assert.That(certificate.CriticalOptions, Is.Empty);
            Assert.That(certificate.SignatureAlgorithms, Is.EqualTo(new[] { "ssh-ed25519-cert-v01@openssh.com" }));
        }
    }

    [Test]
    public void Its_time_includes_the_first_second_and_not_the_last()
    {
        var certificate = Read.Certificate(TestCertificates.Host);
        var from = new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
        var until = new DateTimeOffset(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(certificate.IsValidAt(from.AddSeconds(-1)), Is.False);
            Assert.That(certificate.IsValidAt(from));
            Assert.That(certificate.IsValidAt(until.AddSeconds(-1)));
            Assert.That(certificate.IsValidAt(until), Is.False);
            Assert.That(Read.Certificate(TestCertificates.CriticalHost).IsValidAt(DateTimeOffset.MaxValue));
        }
    }

    [Test]
    public void An_RSA_certificate_is_offered_with_SHA_2_only()
    {
        var certificate = Read.Certificate(TestCertificates.Rsa);
        Assert.That(certificate.Type, Is.EqualTo("ssh-rsa-cert-v01@openssh.com"));
        Assert.That(certificate.SignatureAlgorithms,
            Is.EqualTo(new[] { "rsa-sha2-512-cert-v01@openssh.com", "rsa-sha2-256-cert-v01@openssh.com" }));
        Assert.That(certificate.SignatureAlgorithms.Select(KeyAlgorithms.Plain), Is.EqualTo(new[] { "rsa-sha2-512", "rsa-sha2-256" }));
    }

    [Test]
    public void Critical_options_are_read() =>
        Assert.That(Read.Certificate(TestCertificates.CriticalHost).CriticalOptions, Is.EqualTo(new[] { "future@example.org" }));

    [Test]
    public void Every_changed_byte_is_noticed()
    {
        var blob = Read.Blob(TestCertificates.Host);
        for (var at = 0; at < blob.Length; at += 3)
        {
            blob[at] ^= 0x20;
            Assert.That(IsGood(blob), Is.False, $"byte {at}");
            blob[at] ^= 0x20;
        }

        Assert.That(IsGood(blob));
    }

    [TestCase("sk-ssh-ed25519@openssh.com")]
    [TestCase("sk-ecdsa-sha2-nistp256@openssh.com")]
    public void The_signature_of_a_security_token_is_checked_to_the_last_byte(string authority)
    {
        var blob = MadeCertificate.Of(authority, SshCertificateKind.Host).Blob.ToArray();
        Assert.That(IsGood(blob));
        for (var at = 36; at < blob.Length; at++)
        {
            blob[at] ^= 1;
            Assert.That(IsGood(blob), Is.False, $"byte {at}");
            blob[at] ^= 1;
        }
    }

    [Test]
    public void The_signature_of_a_security_token_that_another_library_made_is_good() =>
        Assert.That(Read.Certificate(TestCertificates.TokenHost).FindFlaw(), Is.Null);

    [Test]
    public void A_security_token_that_signed_other_flags_is_refused() =>
        Assert.That(MadeCertificate.Of("sk-ssh-ed25519@openssh.com", SshCertificateKind.Host, flags: 5).FindFlaw(),
            Does.Contain("does not carry the signature"));

    [TestCase("ssh-dss", "ssh-dss")]
    [TestCase("rsa-1024", "1024 bits")]
    [TestCase("rsa-sha1", "signed by ssh-rsa")]
    [TestCase("certificate", "is a certificate")]
    [TestCase("forged", "does not carry the signature")]
    public void A_certificate_that_cannot_be_judged_is_read_with_the_reason(string authority, string reason) =>
        Assert.That(MadeCertificate.Of(authority, SshCertificateKind.Host).FindFlaw(), Does.Contain(reason));

    [Test]
    public async Task A_signature_is_the_certified_keys_under_either_name()
    {
        var certificate = Read.Certificate(TestCertificates.User);
        using var identity = await Transfer.Sftp.SshIdentity.FromTextAsync(TestKeys.Ed25519);
        var signature = await identity.Signers[0].SignAsync("ssh-ed25519-cert-v01@openssh.com", "data"u8.ToArray(), default);
        Assert.That(certificate.Verify("ssh-ed25519-cert-v01@openssh.com", "data"u8, signature));
        Assert.That(certificate.Verify("ssh-ed25519", "data"u8, signature));
        Assert.That(certificate.Verify("ssh-ed25519", "date"u8, signature), Is.False);
    }

    private static bool IsGood(byte[] blob)
    {
        try
        {
            return SshCertificate.Parse(blob).FindFlaw() is null;
        }
        catch (TransferException)
        {
            return false;
        }
    }
}
