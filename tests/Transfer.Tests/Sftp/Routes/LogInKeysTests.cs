using System.Buffers;
using Transfer.Sftp;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Config;
using Transfer.Sftp.Routes;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Dialing;
using Transfer.Tests.Sftp.Keys;

namespace Transfer.Tests.Sftp.Routes;

/// <summary>Which keys a host is shown, and when a passphrase is asked for.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class LogInKeysTests : IDisposable
{
    private readonly RecordingLogger _log = new();
    private readonly TempFolder _folder = new();
    private readonly List<string> _asked = [];
    private readonly Queue<string> _answers = [];
    private LogInKeys? _keys;

    public void Dispose()
    {
        _keys?.Dispose();
        _folder.Dispose();
    }

    [Test]
    public async Task Files_come_behind_the_keys_that_were_given_and_absent_ones_are_skipped()
    {
        using var given = await SshIdentity.FromTextAsync(TestRsaKeys.OpenSsh);
        var signers = await ListAsync(Plan(Path.Combine(_folder.Path, "absent"), _folder.AddPrivate("id", TestKeys.Ed25519)),
            options => options with { Identities = [given] });
        Assert.That(signers.Select(signer => signer.PublicKey.Type), Is.EqualTo(new[] { "ssh-rsa", "ssh-ed25519" }));
        Assert.That(_log.Warnings, Is.Empty);
    }

    [Test]
    public async Task An_encrypted_key_is_shown_without_its_passphrase_which_is_asked_for_once_when_it_signs()
    {
        var path = _folder.AddPrivate("id", TestKeys.Ed25519Counter256);
        var signer = (await ListAsync(Plan(path))).Single();
        Assert.That((signer.PublicKey.Fingerprint, signer.NeedsUser, _asked.Count), Is.EqualTo((TestKeys.Ed25519Fingerprint, true, 0)));
        _answers.Enqueue(TestKeys.Passphrase);
        await AssertSignsAsync(signer);
        await AssertSignsAsync((await _keys!.ListAsync(Plan(path), default)).Single());
        Assert.That(_asked, Is.EqualTo(new[] { $"|Passphrase for {path}:" }));
    }

    [Test]
    public async Task A_wrong_passphrase_is_asked_for_again_and_then_never_more()
    {
        var path = _folder.AddPrivate("id", TestKeys.Ed25519Counter256);
        var signer = (await ListAsync(Plan(path))).Single();
        foreach (var wrong in new[] { "a", "b", "c" }) _answers.Enqueue(wrong);
        for (var i = 0; i < 2; i++)
        {
            var error = await Assert.CatchAsync<TransferException>(async () => await signer.SignAsync("ssh-ed25519", new byte[1], default));
            Assert.That(error!.Error, Is.EqualTo(TransferError.Auth));
        }

        Assert.That(_asked,
            Is.EqualTo(
                new[] { $"|Passphrase for {path}:", $"|Passphrase for {path} (try 2 of 3):", $"|Passphrase for {path} (try 3 of 3):" }));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_certificate_of_another_key_or_a_damaged_one_is_left_out_with_one_warning(bool isDamaged)
    {
        var certificate = isDamaged ? "" : TestCertificates.Rsa;
        var (plain, hidden) = (_folder.AddPrivate("plain", TestKeys.Ed25519), _folder.AddPrivate("hidden", TestKeys.Ed25519Counter256));
        foreach (var path in new[] { plain, hidden }) _folder.AddPrivate(Path.GetFileName(path) + "-cert.pub", certificate);
        using var given = await SshIdentity.FromFileAsync(plain);
        foreach (var signers in new[]
        {
            await ListAsync(Plan(plain)), await ListAsync(Plan(hidden)),
            await ListAsync(Plan(), options => options with { Identities = [given] }),
        })
        {
            Assert.That(signers.Single().PublicKey.Type, Is.EqualTo("ssh-ed25519"));
            Assert.That(signers[0].Description, Does.Contain("-cert.pub cannot be used"));
        }

        Assert.That(_log.Warnings.ToArray(), Has.Length.EqualTo(3).And.All.Contain("-cert.pub cannot be used"));
    }

    [Test]
    public async Task Where_nobody_can_be_asked_the_key_cannot_sign()
    {
        var signer = (await ListAsync(Plan(_folder.AddPrivate("id", TestKeys.Ed25519Counter256)),
            options => options with { Interaction = null })).Single();
        var error = await Assert.CatchAsync<TransferException>(async () => await signer.SignAsync("ssh-ed25519", new byte[1], default));
        Assert.That(error!.Message, Does.Contain("nobody is there"));
    }

    [Test]
    public async Task A_file_of_the_options_that_cannot_be_opened_is_skipped_with_one_warning([Values] bool asks, [Values] bool isShown)
    {
        var path = _folder.AddPrivate("id", isShown ? TestKeys.Ed25519Counter256 : TestKeys.Ed25519Pkcs8Encrypted);
        var signers = await ListAsync(Plan(),
            options => options with { IdentityFiles = [path], Interaction = asks ? options.Interaction : null });
        Assert.That(signers, Has.Count.EqualTo(isShown ? 1 : 0));
        foreach (var signer in signers.Concat(signers))
            await Assert.CatchAsync<TransferException>(async () => await signer.SignAsync("ssh-ed25519", new byte[] { 1 }, default));
        Assert.That(_log.Warnings.Single(), Does.Contain(path).And.Contain("is encrypted").And.EndWith("The key is skipped."));
    }

    [Test]
    public async Task A_key_whose_public_half_is_nowhere_is_opened_to_be_shown_and_left_out_without_a_passphrase()
    {
        var path = _folder.AddPrivate("id", TestKeys.Ed25519Pkcs8Encrypted);
        Assert.That(await ListAsync(Plan(path)), Is.Empty);
        Assert.That(_asked, Has.Count.EqualTo(1));
        _folder.AddPrivate("id.pub", TestKeys.Ed25519Public);
        _keys!.Dispose();
        Assert.That((await ListAsync(Plan(path))).Single().NeedsUser);
        Assert.That(_asked, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task The_agent_signs_where_it_holds_the_key_of_a_file()
    {
        var path = _folder.AddPrivate("id", TestKeys.Ed25519Counter256);
        await using var agent = new FakeAgent(_ => Identities(TestKeys.Ecdsa256Public, TestKeys.Ed25519Public));
        var signers = await ListAsync(Plan(path), options => options with { Agent = new SshAgentOptions { Path = agent.Path } });
        Assert.That(signers.Select(signer => (signer.PublicKey.Fingerprint, signer.NeedsUser)),
            Is.EqualTo(new[] { (TestKeys.Ed25519Fingerprint, false), (TestKeys.Ecdsa256Fingerprint, false) }));
    }

    [Test]
    public async Task An_encrypted_file_of_the_options_is_signed_for_by_the_agent_which_shows_no_other_key()
    {
        var path = _folder.AddPrivate("id", TestKeys.Ed25519Counter256);
        await using var agent = new FakeAgent(_ => Identities(TestKeys.Ecdsa256Public, TestKeys.Ed25519Public));
        var signers = await ListAsync(Plan(),
            options => options with { IdentityFiles = [path], Agent = new SshAgentOptions { Path = agent.Path } });
        Assert.That(signers.Select(signer => (signer.PublicKey.Fingerprint, signer.NeedsUser)),
            Is.EqualTo(new[] { (TestKeys.Ed25519Fingerprint, false) }));
        Assert.That(_asked, Is.Empty);
    }

    [TestCase("id.pub")]
    [TestCase("id")]
    public async Task Identities_only_leaves_of_the_agents_keys_those_that_files_name(string named)
    {
        // The private half is in the agent alone: the file named is the public one, or has it beside it.
        _folder.AddPrivate("id.pub", TestKeys.Ed25519Public);
        await using var agent = new FakeAgent(_ => Identities(TestKeys.Ecdsa256Public, TestKeys.Ed25519Public));
        var plan = Plan(Path.Combine(_folder.Path, named)) with { Config = new SshHostConfig { HostName = "host", IdentitiesOnly = true } };
        var signers = await ListAsync(plan, options => options with { Agent = new SshAgentOptions { Path = agent.Path } });
        Assert.That(signers.Select(signer => signer.PublicKey.Fingerprint), Is.EqualTo(new[] { TestKeys.Ed25519Fingerprint }));
        Assert.That(_log.Warnings, Is.Empty);
    }

    [Test]
    public async Task The_agent_is_the_one_that_the_configuration_names_or_none_unless_the_options_name_one()
    {
        await using var agent = new FakeAgent(_ => Identities(TestKeys.Ed25519Public));
        var asked = new SshAgentOptions { Use = SshAgentUse.IfPresent };
        var named = Plan() with { Config = new SshHostConfig { HostName = "h", IdentityAgent = agent.Path } };
        Assert.That(await ListAsync(named, options => options with { Agent = asked }), Has.Count.EqualTo(1));
        var none = Plan() with { Config = new SshHostConfig { HostName = "h", IdentityAgent = string.Empty } };
        Assert.That(await ListAsync(none, options => options with { Agent = asked }), Is.Empty);
        Assert.That(await ListAsync(none, options => options with { Agent = asked with { Path = agent.Path } }), Has.Count.EqualTo(1));
    }

    [Test]
    public async Task Keys_that_the_configuration_leaves_out_are_not_shown()
    {
        using var given = await SshIdentity.FromTextAsync(TestRsaKeys.OpenSsh);
        Assert.That((await Types(new LogInRules { PublicKey = false })), Is.Empty);
        Assert.That((await Types(new LogInRules { SignatureAlgorithms = ["rsa-sha2-256"] })), Is.EqualTo(new[] { "ssh-rsa" }));
        Assert.That((await Types(new LogInRules { MinimumRsaBits = 3072 })), Is.EqualTo(new[] { "ssh-ed25519" }));

        async Task<IEnumerable<string>> Types(LogInRules rules) => (await ListAsync(
            Plan(_folder.AddPrivate("id", TestKeys.Ed25519)) with { Config = new SshHostConfig { HostName = "h", LogInRules = rules } },
            options => options with { Identities = [given] })).Select(signer => signer.PublicKey.Type);
    }

    [Test]
    public async Task Where_nobody_is_to_be_asked_an_encrypted_key_cannot_sign()
    {
        var plan = Plan(_folder.AddPrivate("id", TestKeys.Ed25519Counter256)) with
        { Config = new SshHostConfig { HostName = "h", IsBatchMode = true } };
        _answers.Enqueue(TestKeys.Passphrase);
        var signer = (await ListAsync(plan)).Single();
        Assert.That(async () => await signer.SignAsync("ssh-ed25519", new byte[] { 1 }, default), Throws.InstanceOf<TransferException>());
        Assert.That(_asked, Is.Empty);
    }

    [Test]
    public async Task A_file_that_is_no_key_is_skipped_with_a_warning()
    {
        Assert.That(await ListAsync(Plan(_folder.AddPrivate("id", "nothing"))), Is.Empty);
        Assert.That(_log.Warnings.Single(), Does.Contain("no private key"));
    }

    private static HostPlan Plan(params string[] files) =>
        new()
        {
            Host = "h",
            Port = 22,
            User = "u",
            HostKeys = new SshHostKeyOptions(),
            IdentityFiles = files,
            Config = new SshHostConfig { HostName = "h" }
        };

    private static async Task AssertSignsAsync(ISshSigner signer)
    {
        var signature = await signer.SignAsync("ssh-ed25519", new byte[] { 1, 2 }, default);
        Assert.That(signer.PublicKey.Verify("ssh-ed25519", [1, 2], signature));
    }

    private static byte[] Identities(params string[] keys)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteByte(12);
        writer.WriteUInt32((uint)keys.Length);
        foreach (var key in keys)
        {
            writer.WriteString(Read.Blob(key));
            writer.WriteString("a comment");
        }

        return FakeAgent.Frame(writer.WrittenSpan);
    }

    private async Task<IReadOnlyList<ISshSigner>> ListAsync(HostPlan plan, Func<SftpOptions, SftpOptions>? change = null)
    {
        var options = new SftpOptions
        {
            Agent = new SshAgentOptions { Use = SshAgentUse.Never },
            Interaction = (questions, _) =>
            {
                _asked.Add($"{questions.Server}|{questions.Prompts.Single().Text}");
                return new(_answers.TryDequeue(out var answer) ? [answer] : null);
            },
        };
        _keys = new LogInKeys(change?.Invoke(options) ?? options, _log);
        return await _keys.ListAsync(plan, default);
    }
}
