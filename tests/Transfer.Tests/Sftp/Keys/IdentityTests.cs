using System.Text;
using Transfer.Sftp;
using Transfer.Sftp.Keys;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sftp.Keys;

[Category(Categories.Slow)]
public sealed class IdentityTests
{
    private static IEnumerable<TestCaseData> Formats =>
    [
        Case("Ed25519", TestKeys.Ed25519, TestKeys.Ed25519Fingerprint),
        Case("Ed25519Counter256", TestKeys.Ed25519Counter256, TestKeys.Ed25519Fingerprint),
        Case("Ed25519Chaining256", TestKeys.Ed25519Chaining256, TestKeys.Ed25519Fingerprint),
        Case("Ed25519Galois256", TestKeys.Ed25519Galois256, TestKeys.Ed25519Fingerprint),
        Case("Ed25519Counter128", TestKeys.Ed25519Counter128, TestKeys.Ed25519Fingerprint),
        Case("Ed25519Default", TestKeys.Ed25519Default, TestKeys.Ed25519Fingerprint),
        Case("Ecdsa256", TestKeys.Ecdsa256, TestKeys.Ecdsa256Fingerprint),
        Case("Ecdsa384", TestKeys.Ecdsa384, TestKeys.Ecdsa384Fingerprint),
        Case("Ecdsa521", TestKeys.Ecdsa521, TestKeys.Ecdsa521Fingerprint),
        Case("Ecdsa256Sec1", TestKeys.Ecdsa256Sec1, TestKeys.Ecdsa256Fingerprint),
        Case("Ecdsa256Pkcs8", TestKeys.Ecdsa256Pkcs8, TestKeys.Ecdsa256Fingerprint),
        Case("Rsa OpenSsh", TestRsaKeys.OpenSsh, TestRsaKeys.Fingerprint),
        Case("Rsa Pkcs1", TestRsaKeys.Pkcs1, TestRsaKeys.Fingerprint),
        Case("Rsa Pkcs8", TestRsaKeys.Pkcs8, TestRsaKeys.Fingerprint),
        Case("Rsa Pkcs8Encrypted", TestRsaKeys.Pkcs8Encrypted, TestRsaKeys.Fingerprint),
    ];

    private static IEnumerable<TestCaseData> Ed25519InPkcs8 =>
    [
        Case("plain", TestKeys.Ed25519Pkcs8),
        Case("encrypted", TestKeys.Ed25519Pkcs8Encrypted),
    ];

    private static IEnumerable<TestCaseData> Encrypted =>
    [
        Case("Ed25519Counter256", TestKeys.Ed25519Counter256),
        Case("Ed25519Chaining256", TestKeys.Ed25519Chaining256),
        Case("Ed25519Galois256", TestKeys.Ed25519Galois256),
        Case("Ed25519Pkcs8Encrypted", TestKeys.Ed25519Pkcs8Encrypted),
        Case("Rsa Pkcs8Encrypted", TestRsaKeys.Pkcs8Encrypted),
    ];

    private static IEnumerable<TestCaseData> Unsupported =>
    [
        Case("PuTTY", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", "puttygen"),
        Case("old PEM", TestRsaKeys.OldPemEncrypted, "ssh-keygen -p"),
        Case("ChaCha", TestKeys.Ed25519ChaCha, "ssh-keygen -p"),
        Case("short RSA", TestRsaKeys.Short, "1024 bits"),
    ];

    [Test]
    public async Task The_default_keys_are_those_that_are_there_and_can_be_read_without_a_passphrase()
    {
        using var folder = new TempFolder();
        folder.AddPrivate("id_rsa", TestRsaKeys.OpenSsh);
        folder.AddPrivate("id_ecdsa", "no key");
        folder.AddPrivate("id_ed25519", TestKeys.Ed25519Counter256);
        folder.AddPrivate("id_other", TestKeys.Ed25519);
        var log = new RecordingLogger();
        var identities = await SshIdentity.LoadDefaultsAsync(folder.Path, log);
        Assert.That(identities.Select(identity => identity.Fingerprint), Is.EqualTo(new[] { TestRsaKeys.Fingerprint }));
        foreach (var identity in identities) identity.Dispose();
        Assert.That(await SshIdentity.LoadDefaultsAsync(Path.Combine(folder.Path, "nowhere")), Is.Empty);
    }

    [TestCaseSource(nameof(Formats))]
    public async Task Every_format_gives_the_key_and_its_signatures_are_good(string text, string fingerprint)
    {
        using var identity = await SshIdentity.FromTextAsync(text, TestKeys.Passphrase);
        Assert.That(identity.Fingerprint, Is.EqualTo(fingerprint));
        var signer = identity.Signers.Single();
        foreach (var algorithm in signer.PublicKey.SignatureAlgorithms)
        {
            var signature = await signer.SignAsync(algorithm, "data"u8.ToArray(), default);
            Assert.That(signer.PublicKey.Verify(algorithm, "data"u8, signature), algorithm);
            Assert.That(signer.PublicKey.Verify(algorithm, "date"u8, signature), Is.False, algorithm);
            signature[^1] ^= 1;
            Assert.That(signer.PublicKey.Verify(algorithm, "data"u8, signature), Is.False, algorithm);
        }
    }

    [TestCaseSource(nameof(Ed25519InPkcs8))]
    public async Task Ed25519_in_PKCS_8_gives_the_public_key_that_openssl_shows(string text)
    {
        using var identity = await SshIdentity.FromTextAsync(text, TestKeys.Passphrase);
        Assert.That(Convert.ToHexStringLower(identity.Signers[0].PublicKey.Blob.Span[^32..]), Is.EqualTo(TestKeys.Ed25519Pkcs8Public));
    }

    [TestCaseSource(nameof(Encrypted))]
    public async Task A_wrong_or_missing_passphrase_is_said_so_and_not_shown(string text)
    {
        var wrong = await FailureAsync(text, "wrong-secret");
        var missing = await FailureAsync(text, null);
        using (Assert.EnterMultipleScope())
        {
            Assert.That(wrong.Error, Is.EqualTo(TransferError.Auth));
            Assert.That(wrong.Message, Does.Contain("passphrase is wrong").And.Not.Contain("wrong-secret"));
            Assert.That(missing.Error, Is.EqualTo(TransferError.Auth));
            Assert.That(missing.Message, Does.Contain("no passphrase"));
        }
    }

    [TestCaseSource(nameof(Unsupported))]
    public async Task What_is_not_supported_is_refused_with_the_way_out(string text, string hint)
    {
        var error = await FailureAsync(text, TestKeys.Passphrase);
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(error.Message, Does.Contain(hint));
    }

    [TestCase(TestKeys.Ed25519ChaCha, "ssh-keygen -p", false)]
    [TestCase(TestKeys.Ed25519Pkcs8Encrypted, "ssh-keygen -p", true)]
    public async Task A_file_encrypted_in_another_way_is_refused_before_its_passphrase_is_asked_for(string text, string hint, bool isDes)
    {
        if (isDes)
        {
            // AES becomes DES: the object identifier of the cipher is another.
            var lines = text.Split('\n');
            var bytes = Convert.FromBase64String(string.Concat(lines[1..^1]));
            bytes[bytes.AsSpan().IndexOf(new byte[] { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01 }) + 7] = 9;
            text = $"{lines[0]}\n{Convert.ToBase64String(bytes)}\n{lines[^1]}\n";
        }

        using var folder = new TempFolder();
        var path = folder.AddPrivate("id", text);
        var asked = 0;
        var error = await Assert.CatchAsync<TransferException>(async () => await SshIdentity.FromFileAsync(path, (_, _) =>
        {
            asked++;
            return new("secret");
        }));
        Assert.That((error!.Error, asked), Is.EqualTo((TransferError.Unsupported, 0)));
        Assert.That(error.Message, Does.Contain(hint));
    }

    [TestCase("")]
    [TestCase("hello")]
    [TestCase(TestKeys.Ed25519Public)]
    [TestCase("-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n")]
    [TestCase("-----BEGIN RSA PRIVATE KEY-----\nMAA=\n-----END RSA PRIVATE KEY-----\n")]
    [TestCase("-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----\n")]
    [TestCase("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n")]
    [TestCase("-----BEGIN OPENSSH PRIVATE KEY-----\nMAA=\n-----END OPENSSH PRIVATE KEY-----\n")]
    public async Task What_is_no_key_is_a_clear_error(string text) =>
        Assert.That((await FailureAsync(text, "x")).Error, Is.EqualTo(TransferError.Protocol));

    [Test]
    public async Task A_key_whose_halves_do_not_belong_together_is_refused()
    {
        // The public key appears twice in plain files; here the first, and in the other case the second half's copy, is another key's.
        var lines = TestKeys.Ed25519.Split('\n');
        var bytes = Convert.FromBase64String(string.Concat(lines[1..^1]));
        var at = bytes.AsSpan().IndexOf(Read.Blob(TestKeys.Ed25519Public));
        Read.Blob(TestCertificates.Authority).CopyTo(bytes, at);
        var text = $"-----BEGIN OPENSSH PRIVATE KEY-----\n{Convert.ToBase64String(bytes)}\n-----END OPENSSH PRIVATE KEY-----\n";
        Assert.That((await FailureAsync(text, null)).Message, Does.Contain("do not belong together"));
    }

    [Test]
    public void Whatever_byte_of_a_file_changes_a_key_or_a_TransferException_comes_out()
    {
        foreach (var (text, step) in new[] { (TestKeys.Ed25519, 7), (TestKeys.Ecdsa256, 7), (TestKeys.Ecdsa256Sec1, 7),
            (TestKeys.Ed25519Pkcs8Encrypted, 7), (TestKeys.Ed25519Galois256, 31) })
        {
            var lines = text.Split('\n');
            var bytes = Convert.FromBase64String(string.Concat(lines[1..^1]));
            for (var at = 0; at < bytes.Length; at += step)
            {
                var kept = bytes[at];
                bytes[at] ^= 0x41;
                try
                {
                    SshIdentity.FromTextAsync($"{lines[0]}\n{Convert.ToBase64String(bytes)}\n{lines[^1]}\n",
                        TestKeys.Passphrase).AsTask().GetAwaiter().GetResult().Dispose();
                }
                catch (TransferException error)
                {
                    Assert.That(error.Error, Is.AnyOf(TransferError.Protocol, TransferError.Unsupported, TransferError.Auth));
                }

                bytes[at] = kept;
            }
        }
    }

    [Test]
    public async Task A_certificate_beside_the_file_comes_first()
    {
        using var folder = new TempFolder();
        var path = folder.AddPrivate("id", TestKeys.Ed25519);
        folder.AddPrivate("id-cert.pub", TestCertificates.User + "\n");
        using var identity = await SshIdentity.FromFileAsync(path);
        Assert.That(identity.HasCertificate);
        Assert.That(identity.Signers.Select(signer => signer.PublicKey.Type),
            Is.EqualTo(new[] { "ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519" }));
    }

    [TestCase(TestCertificates.Rsa)]
    [TestCase(TestCertificates.Host)]
    [TestCase(TestKeys.Ed25519Public)]
    [TestCase("ssh-ed25519-cert-v01@openssh.com AAAA")]
    [TestCase("")]
    public async Task A_certificate_that_is_not_the_keys_or_not_a_users_is_left_out_and_the_key_says_so(string certificate)
    {
        using var folder = new TempFolder();
        var path = folder.AddPrivate("id", TestKeys.Ed25519);
        folder.AddPrivate("id-cert.pub", certificate);
        using var identity = await SshIdentity.FromFileAsync(path);
        Assert.That((identity.Signers.Single().PublicKey.Type, identity.HasCertificate), Is.EqualTo(("ssh-ed25519", false)));
        Assert.That(identity.Signers[0].Description, Does.Contain($"{path}-cert.pub cannot be used"));
    }

    [TestCase("sk-ssh-ed25519@openssh.com")]
    [TestCaseSource(typeof(MadeCertificate), nameof(MadeCertificate.Unjudged))]
    public async Task A_users_certificate_is_the_servers_to_judge_whoever_signed_it(string authority)
    {
        using var folder = new TempFolder();
        var path = folder.AddPrivate("id", TestKeys.Ed25519);
        folder.AddPrivate("id-cert.pub", MadeCertificate.Line(MadeCertificate.Of(authority, SshCertificateKind.User)));
        using var identity = await SshIdentity.FromFileAsync(path);
        Assert.That(identity.Signers.Select(signer => signer.PublicKey.Type),
            Is.EqualTo(new[] { "ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519" }));
    }

    [Test]
    public async Task The_passphrase_is_asked_for_only_when_it_is_needed()
    {
        using var folder = new TempFolder();
        var plain = folder.AddPrivate("plain", TestKeys.Ed25519);
        var encrypted = folder.AddPrivate("encrypted", TestKeys.Ed25519Counter256);
        var asked = new List<string>();
        (await SshIdentity.FromFileAsync(plain, Ask)).Dispose();
        (await SshIdentity.FromFileAsync(encrypted, Ask)).Dispose();
        Assert.That(asked, Is.EqualTo(new[] { encrypted }));

        ValueTask<string?> Ask(string path, CancellationToken ct)
        {
            asked.Add(path);
            return ValueTask.FromResult<string?>(TestKeys.Passphrase);
        }
    }

    [Test]
    public async Task A_file_that_is_absent_or_too_large_is_a_clear_error()
    {
        using var folder = new TempFolder();
        var absent =
            await Assert.ThrowsAsync<TransferException>(async () => await SshIdentity.FromFileAsync(Path.Combine(folder.Path, "none")));
        var large = await Assert.ThrowsAsync<TransferException>(
            async () => await SshIdentity.FromFileAsync(folder.AddPrivate("large", new string('x', 300_000))));
        Assert.That((absent!.Error, large!.Error), Is.EqualTo((TransferError.NotFound, TransferError.Protocol)));
    }

    [Test]
    [Platform("Linux")]
    public async Task A_pipe_is_read_to_its_end_a_device_within_bounds_and_a_pipe_without_a_writer_until_the_cancellation()
    {
        using var folder = new TempFolder();
        var (key, idle) = (folder.AddPipe("key"), folder.AddPipe("idle"));
        // A writer of .NET would lock the pipe.
        using var writing = System.Diagnostics.Process.Start("sh", ["-c", "cat \"$0\" >\"$1\"", folder.Add("text", TestKeys.Ed25519),
            key]);
        using (var identity = await SshIdentity.FromFileAsync(key))
            Assert.That(identity.Fingerprint, Is.EqualTo(TestKeys.Ed25519Fingerprint));
        await writing.WaitForExitAsync();

        var endless = await Assert.ThrowsAsync<TransferException>(async () => await SshIdentity.FromFileAsync("/dev/zero"));
        Assert.That((endless!.Error, endless.Message), Is.EqualTo((TransferError.Protocol, "/dev/zero is too large for a key.")));

        using var stop = new CancellationTokenSource();
        var waiting = SshIdentity.FromFileAsync(idle, cancellationToken: stop.Token).AsTask();
        await stop.CancelAsync();
        await Assert.ThatAsync(() => waiting, Throws.InstanceOf<OperationCanceledException>());
        // The thread that was left behind ends.
        File.Open(idle, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite).Dispose();
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task A_file_that_others_may_read_is_refused([Values(UnixFileMode.GroupRead, UnixFileMode.OtherRead,
        UnixFileMode.OtherWrite)] UnixFileMode others)
    {
        if (OperatingSystem.IsWindows()) return;
        using var folder = new TempFolder();
        var path = folder.AddPrivate("id", TestKeys.Ed25519);
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | others);
        var error = await Assert.ThrowsAsync<TransferException>(async () => await SshIdentity.FromFileAsync(path));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(error.Message, Does.Contain("chmod 600"));
    }

    [Test]
    public async Task Its_text_tells_nothing_secret_and_disposing_ends_it()
    {
        var identity = await SshIdentity.FromTextAsync(TestKeys.Ed25519);
        Assert.That(identity.ToString(), Is.EqualTo($"ssh-ed25519 {TestKeys.Ed25519Fingerprint}"));
        Assert.That(identity.Comment, Is.EqualTo("test-key"));
        identity.Dispose();
        Assert.That(async () => await identity.Signers[0].SignAsync("ssh-ed25519", Encoding.ASCII.GetBytes("data"), default),
            Throws.InstanceOf<ObjectDisposedException>());
    }

    [Test]
    public async Task A_signer_refuses_algorithms_that_are_not_its_own()
    {
        using var identity = await SshIdentity.FromTextAsync(TestRsaKeys.OpenSsh);
        var error =
            await Assert.ThrowsAsync<TransferException>(async () => await identity.Signers[0].SignAsync("ssh-rsa", new byte[1], default));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Unsupported));
    }

    private static async Task<TransferException> FailureAsync(string text, string? passphrase) =>
        (await Assert.ThrowsAsync<TransferException>(async () => await SshIdentity.FromTextAsync(text, passphrase)))!;

    /// <summary>A case that is told by name: whole key files make no test names.</summary>
    private static TestCaseData Case(string name, params object[] arguments) => new TestCaseData(arguments).SetArgDisplayNames(name);
}
