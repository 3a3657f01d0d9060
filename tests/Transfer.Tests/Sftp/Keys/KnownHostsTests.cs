using Transfer.Sftp.Keys;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Keys;

public sealed class KnownHostsTests
{
    private const string Host = "files.example.org";
    private static readonly string Key = Pair(TestKeys.Ed25519Public);
    private static readonly string OtherKey = Pair(TestCertificates.OtherHostKey);
    private static readonly string Authority = Pair(TestCertificates.Authority);
    private static readonly SshPublicKey Shown = Read.PublicKey(TestKeys.Ed25519Public);

    // Made by ssh-keygen -H: files.example.org and [files.example.org]:2222.
    private const string Hashed = "|1|PnyaLlw7bsKeMp3px6HdeEWyRL0=|Xkttp8Vmg8P25b3AyhkPUoi26Bg=";
    private const string HashedWithPort = "|1|2BrHDVCJWwVn6+scyn7cbpXUxpc=|qZe1N2cdMTDKrp2tlKG5bVZac3E=";

    [TestCase("files.example.org", 22, true)]
    [TestCase("FILES.example.org", 22, true)]
    [TestCase("other.example.org,files.example.org", 22, true)]
    [TestCase("*.example.org", 22, true)]
    [TestCase("f?les.*", 22, true)]
    [TestCase("*.example.org,!files.*", 22, false)]
    [TestCase("!files.example.org", 22, false)]
    [TestCase("example.org", 22, false)]
    [TestCase("[files.example.org]:2222", 2222, true)]
    [TestCase("[files.example.org]:2222", 22, false)]
    [TestCase("[files.example.org]:2222", 2223, false)]
    [TestCase("files.example.org", 2222, true, Description = "known without the port, as OpenSSH has it")]
    [TestCase("[*.example.org]:2222", 2222, true)]
    [TestCase(Hashed, 22, true)]
    [TestCase(HashedWithPort, 2222, true)]
    [TestCase(HashedWithPort, 22, false)]
    public async Task Names_are_matched_as_OpenSSH_does(string names, int port, bool trusted)
    {
        using var harness = new HostTrustHarness($"{names} {Key} a comment");
        var refusal = await harness.RefusalAsync("Files.Example.Org", port, Shown);
        Assert.That(refusal, trusted ? Is.Null : Does.Contain("is not known"));
        Assert.That(harness.Log.Warnings, Is.Empty);
    }

    [Test]
    public async Task A_HostKeyAlias_may_be_the_name_of_a_line_with_a_port()
    {
        using var harness = new HostTrustHarness($"[bastion]:2222 {Key}");
        // The key exchange has the usual port for an alias.
        Assert.That(await harness.RefusalAsync("[Bastion]:2222", 22, Shown), Is.Null);
        Assert.That(await harness.RefusalAsync("[bastion]:2223", 22, Shown), Does.Contain("[bastion]:2223").And.Contain("is not known"));
    }

    [Test]
    public async Task An_address_of_IPv6_is_known_with_or_without_brackets()
    {
        using var harness = new HostTrustHarness($"::1 {Key}", $"[::1]:2222 {Key}");
        Assert.That(await harness.RefusalAsync("[::1]", 22, Shown), Is.Null);
        Assert.That(await harness.RefusalAsync("::1", 2222, Shown), Is.Null);
    }

    [TestCaseSource(typeof(MadeCertificate), nameof(MadeCertificate.Unjudged))]
    public async Task A_certificate_that_cannot_be_judged_proves_nothing_and_its_key_may_be_known(string authority)
    {
        var certificate = MadeCertificate.Of(authority, SshCertificateKind.Host);
        var trusted = $"@cert-authority {Host} {MadeCertificate.AuthorityLine(certificate)}";
        using HostTrustHarness unknown = new(trusted), known = new(trusted, $"{Host} {Key}"), stranger = new($"{Host} {OtherKey}");
        Assert.That(await unknown.RefusalAsync(Host, 22, certificate, options => options with { AcceptNew = true }),
            Does.Contain($"The certificate of {Host}, ssh-ed25519-cert-v01@openssh.com, names a trusted authority, but "));
        Assert.That(await known.RefusalAsync(Host, 22, certificate), Is.Null);
        Assert.That(await stranger.RefusalAsync(Host, 22, certificate), Does.Contain("is not the one that is known"));
    }

    [TestCase("sk-ssh-ed25519@openssh.com")]
    [TestCase("sk-ecdsa-sha2-nistp256@openssh.com")]
    public async Task An_authority_in_a_security_token_is_taken(string authority)
    {
        var certificate = MadeCertificate.Of(authority, SshCertificateKind.Host);
        using var harness = new HostTrustHarness($"@cert-authority {Host} {MadeCertificate.AuthorityLine(certificate)}");
        Assert.That(await harness.RefusalAsync(Host, 22, certificate), Is.Null);
        harness.Rules = new Transfer.Sftp.Keys.Hosts.HostKeyRules { AuthoritySignatures = ["ssh-ed25519"] };
        Assert.That(await harness.RefusalAsync(Host, 22, certificate), Does.Contain("CASignatureAlgorithms"));
    }

    [Test]
    public async Task An_unknown_host_is_refused_with_its_fingerprint_and_no_file_is_made()
    {
        using var harness = new HostTrustHarness();
        Assert.That(await harness.RefusalAsync(Host, 22, Shown), Does.Contain(TestKeys.Ed25519Fingerprint).And.Contains("not known"));
        Assert.That(File.Exists(harness.Path), Is.False);
    }

    [Test]
    [Platform("Linux")]
    public async Task Known_hosts_in_a_pipe_are_read_once_and_one_without_a_writer_until_the_cancellation()
    {
        using var harness = new HostTrustHarness();
        var (full, idle) = (harness.AddPipe("full"), harness.AddPipe("idle"));
        // A writer of .NET would lock the pipe.
        using var writing = System.Diagnostics.Process.Start("sh", ["-c", "printf %s \"$0\" >\"$1\"", $"{Host} {Key}", full]);
        var trust = harness.Trust(o => o with { KnownHostsFiles = [full] });
        await trust.PrepareAsync(default);
        await writing.WaitForExitAsync();
        Assert.That(trust.KnownTypes(Host, 22), Is.EqualTo(new[] { "ssh-ed25519" }));
        await trust.VerifyAsync(Host, 22, Shown, default);

        using var stop = new CancellationTokenSource();
        var waiting = harness.Trust(o => o with { KnownHostsFiles = [idle] }).PrepareAsync(stop.Token).AsTask();
        await stop.CancelAsync();
        await Assert.ThatAsync(() => waiting, Throws.InstanceOf<OperationCanceledException>());
        // The thread that was left behind ends.
        File.Open(idle, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite).Dispose();
    }

    [Test]
    [Platform("Linux")]
    public async Task Known_hosts_without_an_end_are_refused()
    {
        using var harness = new HostTrustHarness();
        var refusal = await harness.RefusalAsync(Host, 22, Shown, o => o with { KnownHostsFiles = ["/dev/zero"] });
        Assert.That(refusal, Does.Contain("too large"));
    }

    [Test]
    public async Task A_changed_key_is_refused_with_both_fingerprints_and_the_place_even_if_new_hosts_are_accepted([Values] bool acceptNew)
    {
        using var harness = new HostTrustHarness("# a comment", "", $"{Host} {OtherKey}");
        var refusal = await harness.RefusalAsync(Host, 22, Shown, o => o with { AcceptNew = acceptNew });
        Assert.That(refusal,
            Does.Contain(TestKeys.Ed25519Fingerprint).And.Contains(Read.PublicKey(TestCertificates.OtherHostKey).Fingerprint).And.Contains(
                $"{harness.Path}:3"));
        Assert.That(await File.ReadAllTextAsync(harness.Path), Does.Not.Contain(Key));
    }

    [Test]
    public async Task One_of_several_keys_of_a_host_is_enough()
    {
        using var harness = new HostTrustHarness($"{Host} {OtherKey}", $"{Host} {Key}");
        Assert.That(await harness.RefusalAsync(Host, 22, Shown), Is.Null);
        Assert.That(harness.Trust().KnownTypes(Host, 22), Is.EqualTo(new[] { "ecdsa-sha2-nistp256", "ssh-ed25519" }));
        Assert.That(harness.Trust().KnownTypes("new.example.org", 22), Is.Empty);
    }

    [Test]
    public async Task A_revoked_key_is_refused_whatever_else_is_said()
    {
        using var harness = new HostTrustHarness($"{Host} {Key}", $"@revoked * {Key}");
        var pinned = await harness.RefusalAsync(Host, 22, Shown, o => o with { Pins = [TestKeys.Ed25519Fingerprint] });
        var onOtherPort = await harness.RefusalAsync(Host, 2222, Shown, o => o with { AcceptNew = true });
        using (Assert.EnterMultipleScope())
        {
            Assert.That(await harness.RefusalAsync(Host, 22, Shown), Does.Contain("revoked"));
            Assert.That(await harness.RefusalAsync(Host, 22, Read.PublicKey(TestCertificates.Host)), Does.Contain("revoked"));
            Assert.That(pinned, Does.Contain("revoked"));
            Assert.That(onOtherPort, Does.Contain("revoked"));
        }
    }

    [TestCase("files.example.org ssh-ed25519")]
    [TestCase("files.example.org ssh-ed25519 !!!!")]
    [TestCase("files.example.org ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIGhv2lw2oL")]
    [TestCase("files.example.org 2048 65537 1234567890")]
    [TestCase("@unknown files.example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5")]
    [TestCase("|2|a|b ssh-ed25519 AAAAC3NzaC1lZDI1NTE5")]
    [TestCase("|1|a|b")]
    [TestCase("@revoked")]
    [TestCase("\u0000\ufffd")]
    public async Task A_bad_line_is_skipped_with_a_warning_that_tells_where(string line)
    {
        using var harness = new HostTrustHarness(line, $"{Host} {Key}");
        Assert.That(await harness.RefusalAsync(Host, 22, Shown), Is.Null);
        Assert.That(harness.Log.Warnings.Single(), Does.Contain($"{harness.Path}:1"));
    }

    [Test]
    public async Task Several_files_count_together_and_absent_ones_are_skipped()
    {
        using var first = new HostTrustHarness($"other.example.org {OtherKey}");
        using var second = new HostTrustHarness($"{Host} {Key}");
        Assert.That(await first.RefusalAsync(Host, 22, Shown,
            o => o with { KnownHostsFiles = [first.Path, first.Path + ".absent", second.Path] }), Is.Null);
    }

    [Test]
    public async Task Without_readable_files_nothing_is_trusted()
    {
        using var harness = new HostTrustHarness();
        Directory.CreateDirectory(harness.Path);
        Assert.That(await harness.RefusalAsync(Host, 22, Shown, o => o with { AcceptNew = true }), Does.Contain("cannot be read"));
    }

    [Test]
    public async Task A_pin_replaces_the_files()
    {
        using var harness = new HostTrustHarness($"{Host} {OtherKey}");
        using (Assert.EnterMultipleScope())
        {
            Assert.That(await harness.RefusalAsync(Host, 22, Shown, o => o with { Pins = [TestKeys.Ed25519Fingerprint] }), Is.Null);
            Assert.That(await harness.RefusalAsync(Host, 22, Shown,
                o => o with { Pins = [TestRsaKeys.Fingerprint, TestKeys.Ed25519Fingerprint + "="] }), Is.Null);
            Assert.That(await harness.RefusalAsync(Host, 22, Read.PublicKey(TestCertificates.Host),
                o => o with { Pins = [TestKeys.Ed25519Fingerprint] }), Is.Null);
            Assert.That(
                await harness.RefusalAsync(Host, 22, Read.PublicKey(TestCertificates.OtherHostKey),
                    o => o with { Pins = [TestKeys.Ed25519Fingerprint], AcceptNew = true }),
                Does.Contain(TestKeys.Ed25519Fingerprint).And.Contains("pinned"));
        }
    }

    [TestCase("")]
    [TestCase("MD5:00:11")]
    [TestCase("SHA256:")]
    [TestCase("SHA256:AAAA")]
    [TestCase("SHA256:not base64 at all, and 43 characters long..")]
    public void What_is_no_fingerprint_cannot_be_pinned(string pin)
    {
        using var harness = new HostTrustHarness();
        Assert.Throws<ArgumentException>(() => harness.Trust(o => o with { Pins = [pin] }));
    }

    [TestCase(Host, 22, true)]
    [TestCase("a.lab.example.org", 22, true)]
    [TestCase("a.lab.example.org", 2222, true)]
    [TestCase("mail.example.org", 22, false)]
    public async Task A_certificate_counts_for_the_hosts_that_it_names(string host, int port, bool trusted)
    {
        using var harness = new HostTrustHarness($"@cert-authority *.example.org {Authority}");
        Assert.That(await harness.RefusalAsync(host, port, Read.PublicKey(TestCertificates.Host)),
            trusted ? Is.Null : Does.Contain("for other hosts"));
        Assert.That(harness.Trust().KnownTypes(host, port)[0], Is.EqualTo("ssh-ed25519-cert-v01@openssh.com"));
    }

    [Test]
    public async Task A_certificate_that_is_a_users_or_over_or_has_unknown_conditions_does_not_count_and_is_not_new_either()
    {
        using var harness = new HostTrustHarness($"@cert-authority * {Authority}");
        var user = await harness.RefusalAsync(Host, 22, Read.PublicKey(TestCertificates.User), o => o with { AcceptNew = true });
        var critical = await harness.RefusalAsync(Host, 22, Read.PublicKey(TestCertificates.CriticalHost));
        harness.Time.Advance(TimeSpan.FromDays(6 * 365));
        var over = await harness.RefusalAsync(Host, 22, Read.PublicKey(TestCertificates.Host));
        using (Assert.EnterMultipleScope())
        {
            Assert.That(user, Does.Contain("a user's"));
            Assert.That(critical, Does.Contain("critical option"));
            Assert.That(over, Does.Contain("not valid now"));
        }
    }

    [Test]
    public async Task A_certificate_of_an_unknown_authority_is_as_good_as_its_key()
    {
        using var harness = new HostTrustHarness($"@cert-authority *.example.com {Authority}", $"{Host} {Key}");
        Assert.That(await harness.RefusalAsync(Host, 22, Read.PublicKey(TestCertificates.Host)), Is.Null);
        Assert.That(await harness.RefusalAsync("b.lab.example.org", 22, Read.PublicKey(TestCertificates.Host)), Does.Contain("not known"));
    }

    [Test]
    public async Task An_authoritys_key_is_not_a_hosts_and_a_hosts_key_no_authority()
    {
        using var harness = new HostTrustHarness($"@cert-authority * {Key}", $"a.lab.example.org {Authority}");
        Assert.That(await harness.RefusalAsync(Host, 22, Shown), Does.Contain("not known"));
        Assert.That(await harness.RefusalAsync("a.lab.example.org", 22, Read.PublicKey(TestCertificates.Host)),
            Does.Contain("is not the one"));
    }

    private static string Pair(string line) => string.Join(' ', line.Split(' ')[..2]);
}
