using Transfer.Sftp;
using Transfer.Sftp.Keys;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Keys;

public sealed class AcceptNewTests
{
    private const string Host = "files.example.org";
    private static readonly SshPublicKey Shown = Read.PublicKey(TestKeys.Ed25519Public);
    private static readonly SshPublicKey Other = Read.PublicKey(TestCertificates.OtherHostKey);

    [TestCase(22, Host)]
    [TestCase(2222, $"[{Host}]:2222")]
    public async Task A_new_hosts_key_is_written_and_counts_from_then_on(int port, string name)
    {
        using var harness = new HostTrustHarness();
        Assert.That(await harness.RefusalAsync(Host, port, Shown, AcceptNew), Is.Null);
        Assert.That(await File.ReadAllTextAsync(harness.Path),
            Is.EqualTo($"{name} {string.Join(' ', TestKeys.Ed25519Public.Split(' ')[..2])}\n"));
        Assert.That(await harness.RefusalAsync(Host, port, Shown), Is.Null);
        Assert.That(await harness.RefusalAsync(Host, port, Other, AcceptNew), Does.Contain("is not the one"));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_new_key_is_decided_about_once_for_all_connections_and_a_changed_one_never(bool accepts)
    {
        using var harness = new HostTrustHarness();
        var asked = new List<SshHostKey>();
        var answer = new TaskCompletionSource<bool>();
        var trust = harness.Trust(options => options with
        {
            Decide = async (key, _) =>
            {
                lock (asked) asked.Add(key);
                return await answer.Task;
            },
        });
        var waiting = Enumerable.Range(0, 3).Select(_ => trust.VerifyAsync(Host, 2222, Shown, default).AsTask()).ToArray();
        answer.SetResult(accepts);
        foreach (var one in waiting) await Assert.ThatAsync(() => one, accepts ? Throws.Nothing : Throws.InstanceOf<TransferException>());
        Assert.That(asked.Select(key => (key.Host, key.Fingerprint)), Is.EqualTo(new[] { ($"[{Host}]:2222", Shown.Fingerprint) }));
        Assert.That(File.Exists(harness.Path), Is.EqualTo(accepts));
        if (!accepts) return;
        await Assert.ThatAsync(() => trust.VerifyAsync(Host, 2222, Other, default).AsTask(), Throws.InstanceOf<TransferException>());
        Assert.That(asked, Has.Count.EqualTo(1));
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task The_folder_and_the_file_are_ours_alone()
    {
        if (OperatingSystem.IsWindows()) return;
        using var harness = new HostTrustHarness();
        await harness.Trust(AcceptNew).VerifyAsync(Host, 22, Shown, default);
        Assert.That(File.GetUnixFileMode(harness.Path), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        Assert.That(File.GetUnixFileMode(Path.GetDirectoryName(harness.Path)!),
            Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute));
    }

    [Test]
    public async Task What_is_in_the_file_stays_and_a_last_line_without_an_end_gets_one()
    {
        using var harness = new HostTrustHarness("# mine",
            "other.example.org " + string.Join(' ', TestCertificates.OtherHostKey.Split(' ')[..2]));
        await harness.Trust(AcceptNew).VerifyAsync(Host, 22, Shown, default);
        var lines = await File.ReadAllLinesAsync(harness.Path);
        Assert.That(lines, Has.Length.EqualTo(3));
        Assert.That(lines[0], Is.EqualTo("# mine"));
        Assert.That(lines[2], Does.StartWith(Host + " ssh-ed25519 "));
    }

    [Test]
    public async Task Of_many_at_once_one_line_is_written_and_other_keys_lose()
    {
        using var harness = new HostTrustHarness();
        var trust = harness.Trust(AcceptNew);
        var keys = Enumerable.Range(0, 20).Select(i => i % 2 == 0 ? Shown : Other).ToList();
        var refused = await Task.WhenAll(keys.Select(key => Task.Run(async () =>
        {
            try
            {
                await trust.VerifyAsync(Host, 22, key, default);
                return false;
            }
            catch (TransferException error) when (error.Error == TransferError.HostKey)
            {
                return true;
            }
        })));
        var written = (await File.ReadAllLinesAsync(harness.Path)).Single();
        var winner = written.Contains("ssh-ed25519", StringComparison.Ordinal) ? Shown : Other;
        Assert.That(refused, Is.EqualTo(keys.Select(key => key != winner)));
    }

    [Test]
    public async Task A_certificate_is_written_as_its_key()
    {
        using var harness = new HostTrustHarness();
        await harness.Trust(AcceptNew).VerifyAsync(Host, 22, Read.PublicKey(TestCertificates.Host), default);
        Assert.That(await harness.RefusalAsync(Host, 22, Shown), Is.Null);
    }

    [Test]
    public async Task When_it_cannot_be_written_the_key_counts_and_a_warning_says_so()
    {
        using var harness = new HostTrustHarness();
        await File.WriteAllTextAsync(Path.GetDirectoryName(harness.Path)!, "a file where the folder should be");
        Assert.That(await harness.RefusalAsync(Host, 22, Shown, AcceptNew), Is.Null);
        Assert.That(harness.Log.Warnings.Single(), Does.Contain("not written").And.Contains(TestKeys.Ed25519Fingerprint));
    }

    [TestCase("a\nb")]
    [TestCase("a b")]
    [TestCase("*")]
    [TestCase("a,b")]
    public async Task A_name_that_would_mean_more_in_the_file_is_not_written(string host)
    {
        using var harness = new HostTrustHarness();
        Assert.That(await harness.RefusalAsync(host, 22, Shown, AcceptNew), Is.Null);
        Assert.That(File.Exists(harness.Path), Is.False);
    }

    private static SshHostKeyOptions AcceptNew(SshHostKeyOptions options) => options with { AcceptNew = true };
}
