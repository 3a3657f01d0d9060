using System.Buffers;
using Transfer.Sftp;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Agent;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sftp.Keys;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class AgentTests
{
    private static readonly byte[] Failure = FakeAgent.Frame([5]);

    private readonly RecordingLogger _log = new();
    private readonly ManualTime _time = new();

    [Test]
    public async Task Its_keys_are_listed_with_certificates_and_without_kinds_that_are_not_supported()
    {
        var hardware = new ArrayBufferWriter<byte>();
        hardware.WriteString("sk-ssh-ed25519@openssh.com");
        await using var fake = new FakeAgent(
            _ => Identities(Read.Blob(TestKeys.Ed25519Public), hardware.WrittenSpan.ToArray(), [], Read.Blob(TestCertificates.User)));
        var signers = await Agent(fake.Path).ListAsync(default);
        Assert.That(signers.Select(signer => signer.PublicKey.Type),
            Is.EqualTo(new[] { "ssh-ed25519", "ssh-ed25519-cert-v01@openssh.com" }));
        Assert.That(signers[0].Description, Does.Contain("test key 0"));
    }

    [TestCaseSource(typeof(MadeCertificate), nameof(MadeCertificate.Unjudged))]
    public async Task Its_certificates_are_the_servers_to_judge(string authority)
    {
        var certificate = MadeCertificate.Of(authority, SshCertificateKind.User);
        await using var fake = new FakeAgent(_ => Identities(certificate.Blob.ToArray(), Read.Blob(TestKeys.Ed25519Public)));
        var signers = await Agent(fake.Path).ListAsync(default);
        Assert.That(signers.Select(signer => signer.PublicKey.Type),
            Is.EqualTo(new[] { "ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519" }));
    }

    [TestCase("rsa-sha2-256", 2u)]
    [TestCase("rsa-sha2-512", 4u)]
    [TestCase("rsa-sha2-512-cert-v01@openssh.com", 4u)]
    public async Task RSA_signs_with_the_flag_of_its_hash(string algorithm, uint flags)
    {
        using var identity = await SshIdentity.FromTextAsync(TestRsaKeys.OpenSsh);
        uint seen = 0;
        await using var fake = new FakeAgent(request =>
        {
            var (data, asked) = ReadSign(request);
            seen = asked;
            return Signature(identity.Signers[0].SignAsync(algorithm, data, default).AsTask().GetAwaiter().GetResult());
        });
        var key = identity.Signers[0].PublicKey;
        var signature = await Agent(fake.Path).SignAsync(key, algorithm, "data"u8.ToArray(), default);
        Assert.That(key.Verify(KeyAlgorithms.Plain(algorithm), "data"u8, signature));
        Assert.That(seen, Is.EqualTo(flags));
    }

    [Test]
    public async Task A_signature_of_another_algorithm_than_asked_for_is_refused()
    {
        // Old agents ignore the flags and sign with SHA-1.
        await using var fake = new FakeAgent(_ => Signature(SignatureBlob.Write("ssh-rsa", new byte[256])));
        var error = await SignErrorAsync(fake.Path);
        Assert.That((error.Error, error.Message), Is.EqualTo((TransferError.Auth, "The agent does not sign with rsa-sha2-512.")));
    }

    [Test]
    public async Task A_refusal_to_sign_is_said_so()
    {
        await using var fake = new FakeAgent(_ => Failure);
        Assert.That((await SignErrorAsync(fake.Path)).Message, Does.Contain("refuses to sign"));
    }

    [Test]
    public async Task An_agent_that_hangs_times_out_and_costs_only_a_warning_unless_it_is_required([Values(SshAgentUse.IfPresent,
        SshAgentUse.Required)] SshAgentUse use)
    {
        await using var fake = new FakeAgent(_ => null);
        var listing = Agent(fake.Path, use).ListAsync(default).AsTask();
        await Eventually.TrueAsync(() => _time.ArmedTimers > 0, "the time-out");
        _time.Advance(TimeSpan.FromSeconds(10));
        if (use == SshAgentUse.Required)
        {
            var error = await Assert.ThrowsAsync<TransferException>(() => listing);
            Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
            return;
        }

        Assert.That(await listing, Is.Empty);
        Assert.That(_log.Warnings.Single(), Does.Contain("did not answer within 10 s"));
    }

    [Test]
    public async Task Signing_may_take_longer_than_listing()
    {
        await using var fake = new FakeAgent(_ => null);
        var key = Read.PublicKey(TestKeys.Ed25519Public);
        var signing = Agent(fake.Path).SignAsync(key, "ssh-ed25519", new byte[1], default).AsTask();
        await Eventually.TrueAsync(() => _time.ArmedTimers > 0, "the time-out");
        _time.Advance(TimeSpan.FromSeconds(59));
        Assert.That(signing.IsCompleted, Is.False);
        _time.Advance(TimeSpan.FromSeconds(1));
        var error = await Assert.ThrowsAsync<TransferException>(() => signing);
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Cancelling_is_the_callers_own_exception()
    {
        await using var fake = new FakeAgent(_ => null);
        using var cancel = new CancellationTokenSource();
        var listing = Agent(fake.Path).ListAsync(cancel.Token).AsTask();
        await Eventually.TrueAsync(() => _time.ArmedTimers > 0, "the time-out");
        await cancel.CancelAsync();
        var error = await Assert.CatchAsync<OperationCanceledException>(() => listing);
        Assert.That(error!.CancellationToken, Is.EqualTo(cancel.Token));
    }

    [TestCase("", Description = "closed at once")]
    [TestCase("00000000", Description = "an answer of no bytes")]
    [TestCase("FFFFFFFF", Description = "an answer of 4 GiB")]
    [TestCase("00040001", Description = "one byte more than the limit")]
    [TestCase("0000000A0C", Description = "cut")]
    [TestCase("000000050CFFFFFFFF", Description = "four milliard keys that are not there")]
    [TestCase("000000090C00000001FFFFFFFF", Description = "a key of 4 GiB")]
    [TestCase("0000000105", Description = "a refusal")]
    public async Task A_bad_answer_is_an_error_when_the_agent_is_required_and_a_warning_otherwise(string answer)
    {
        await using var fake = new FakeAgent(_ => Convert.FromHexString(answer));
        var error =
            await Assert.ThrowsAsync<TransferException>(async () => await Agent(fake.Path, SshAgentUse.Required).ListAsync(default));
        Assert.That(error!.Error, Is.AnyOf(TransferError.Protocol, TransferError.Auth));
        Assert.That(await Agent(fake.Path).ListAsync(default), Is.Empty);
        Assert.That(_log.Warnings.Count(), Is.EqualTo(1));
    }

    [Test]
    public async Task Absence_is_quiet_unless_the_agent_is_required()
    {
        var path = Path.Combine(Path.GetTempPath(), $"no-agent-{Guid.NewGuid():N}");
        Assert.That(await Agent(path).ListAsync(default), Is.Empty);
        Assert.That(_log.Warnings, Is.Empty);
        var error = await Assert.ThrowsAsync<TransferException>(async () => await Agent(path, SshAgentUse.Required).ListAsync(default));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public async Task An_agent_that_is_not_wanted_is_not_asked()
    {
        var asked = false;
        await using var fake = new FakeAgent(_ =>
        {
            asked = true;
            return Identities();
        });
        Assert.That(await Agent(fake.Path, SshAgentUse.Never).ListAsync(default), Is.Empty);
        Assert.That(asked, Is.False);
    }

    private SshAgent Agent(string path, SshAgentUse use = SshAgentUse.IfPresent) =>
        new(new SshAgentOptions { Path = path, Use = use }, _time, _log);

    private async Task<TransferException> SignErrorAsync(string path) =>
        (await Assert.ThrowsAsync<TransferException>(
            async () => await Agent(path).SignAsync(Read.PublicKey(TestRsaKeys.Public), "rsa-sha2-512", new byte[1], default)))!;

    private static byte[] Identities(params byte[][] blobs)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteByte(12);
        writer.WriteUInt32((uint)blobs.Length);
        for (var i = 0; i < blobs.Length; i++)
        {
            writer.WriteString(blobs[i]);
            writer.WriteString($"test key {i}");
        }

        return FakeAgent.Frame(writer.WrittenSpan);
    }

    private static byte[] Signature(byte[] blob)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteByte(14);
        writer.WriteString(blob);
        return FakeAgent.Frame(writer.WrittenSpan);
    }

    private static (byte[] Data, uint Flags) ReadSign(byte[] request)
    {
        var reader = new SshReader(request);
        Assert.That(reader.ReadByte(), Is.EqualTo(13));
        Assert.That(reader.ReadString().SequenceEqual(Read.Blob(TestRsaKeys.Public)));
        return (reader.ReadString().ToArray(), reader.ReadUInt32());
    }
}
