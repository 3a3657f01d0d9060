using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>Hosts that are known, new, changed or pinned. Whoever is refused is sent no password.</summary>
[TestFixture]
[Parallelizable]
public sealed class HostKeyTests() : SshFixture(ServerVariant.Sftp)
{
    [Test]
    public async Task An_unknown_host_is_refused()
    {
        await using var client = Trusting(new SshHostKeyOptions { KnownHostsFiles = [Path.Combine(Scratch, "absent")] });

        await AssertRefusedAsync(client);
        Assert.That(Directory.EnumerateFiles(Scratch), Is.Empty);
    }

    [Test]
    public async Task A_changed_key_is_refused_and_both_fingerprints_are_told([Values] bool acceptNew)
    {
        var known = TextFile("known_hosts", Ssh.KnownHostLine(SshKeys.Stranger));
        await using var client = Trusting(new SshHostKeyOptions { KnownHostsFiles = [known], AcceptNew = acceptNew });

        var message = await AssertRefusedAsync(client);

        Assert.That(message, Does.Contain(Fingerprint(SshKeys.Stranger)).And.Contain(Fingerprint(SshKeys.Host("ed25519"))));
        Assert.That(File.ReadAllLines(known), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task A_revoked_key_is_refused()
    {
        var known = TextFile("known_hosts",
            $"@revoked {Ssh.KnownHostLine(SshKeys.Host("ed25519"))}\n{Ssh.KnownHostLine(SshKeys.Host("ed25519"))}");
        await using var client = Trusting(new SshHostKeyOptions { KnownHostsFiles = [known] });

        await AssertRefusedAsync(client);
    }

    [Test]
    public async Task A_certificate_of_another_authority_is_refused()
    {
        var known = TextFile("known_hosts", "@cert-authority " + Ssh.KnownHostLine(SshKeys.Stranger));
        await using var client = Trusting(new SshHostKeyOptions { KnownHostsFiles = [known] });

        await AssertRefusedAsync(client);
    }

    [Test]
    public async Task A_new_host_is_written_down_when_that_was_asked_and_known_from_then_on()
    {
        var known = Path.Combine(Scratch, "known_hosts");
        await using (var client = Trusting(new SshHostKeyOptions { KnownHostsFiles = [known], AcceptNew = true }))
            await client.ConnectAsync();

        var found = Shell.Run(ServerFiles.SshKeygen, "-F", $"[localhost]:{Server.Port}", "-l", "-f", known);
        Assert.That(found, Does.Contain(Fingerprint(SshKeys.Host("ed25519"))));
        await using var strict = Trusting(new SshHostKeyOptions { KnownHostsFiles = [known] });
        await strict.ConnectAsync();
    }

    [Test]
    public async Task Hashed_names_are_known()
    {
        var known = TextFile("known_hosts", Ssh.KnownHostLine(SshKeys.Host("rsa-2048")));
        Shell.Run(ServerFiles.SshKeygen, "-q", "-H", "-f", known);
        Assert.That(File.ReadAllText(known), Does.StartWith("|1|"));
        var logs = new LogLines();
        await using var client = Ssh.SftpClient(
            options => options with { HostKeys = new SshHostKeyOptions { KnownHostsFiles = [known] }, LoggerFactory = logs });

        await client.ConnectAsync();

        // The one that is known is asked for, although the server has better ones.
        Assert.That(logs.Of(LogLines.KeysExchanged), Is.All.Contain(", rsa-sha2-512, "));
    }

    [Test]
    public async Task A_pinned_key_is_accepted_and_another_is_not()
    {
        await using var pinned = Trusting(new SshHostKeyOptions { KnownHostsFiles = [], Pins = [Fingerprint(SshKeys.Host("ed25519"))] });
        await pinned.ConnectAsync();

        await using var other =
            Trusting(new SshHostKeyOptions { KnownHostsFiles = [Ssh.KnownHosts], Pins = [Fingerprint(SshKeys.Stranger)] });
        await AssertRefusedAsync(other, logIns: 1);
    }

    private static string Fingerprint(string keyFile) => Shell.Run(ServerFiles.SshKeygen, "-l", "-f", keyFile + ".pub").Split(' ')[1];

    private SftpTransferClient Trusting(SshHostKeyOptions trust) => Ssh.SftpClient(options => options with { HostKeys = trust });

    private async Task<string> AssertRefusedAsync(SftpTransferClient client, int logIns = 0)
    {
        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.HostKey), error.ToString());
        Assert.That(error.IsTransient, Is.False);
        Assert.That(Log.Split("Accepted password").Length - 1, Is.EqualTo(logIns));
        Assert.That(Log, Does.Not.Contain("Failed password"));
        return error.Message;
    }
}
