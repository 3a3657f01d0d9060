using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>Configurations at a real sshd, side by side with OpenSSH's client: who connects, and how.</summary>
[TestFixture]
[Parallelizable]
public sealed class SshConfigTests() : SshFixture(ServerVariant.Sftp)
{
    [TestCase("Ciphers aes256-ctr", ", aes256-ctr, ")]
    [TestCase("Ciphers -aes*-gcm@openssh.com,chacha*", ", aes128-ctr, ")]
    [TestCase("Ciphers ^chacha20-poly1305@openssh.com", ", chacha20-poly1305@openssh.com, ")]
    [TestCase("Ciphers aes128-ctr\nMACs hmac-sha2-512", ", MAC hmac-sha2-512;")]
    [TestCase("KexAlgorithms ecdh-sha2-nistp384", ": ecdh-sha2-nistp384, ")]
    [TestCase("HostKeyAlgorithms ecdsa-sha2-nistp521,rsa-sha2-256", ", ecdsa-sha2-nistp521, ")]
    [TestCase("HostKeyAlgorithms rsa-sha2-256\nRequiredRSASize 2048", ", rsa-sha2-256, ")]
    [TestCase("Match final all\n  Ciphers aes192-ctr", ", aes192-ctr, ")]
    [TestCase("Match originalhost nowhere\n  Ciphers aes192-ctr\nMatch host localhost\n  Ciphers aes256-ctr", ", aes256-ctr, ")]
    [TestCase("Include also\nCiphers aes128-ctr", ", aes192-ctr, ")]
    [TestCase("PreferredAuthentications password,publickey\nPasswordAuthentication no", "")]
    [TestCase("PubkeyAcceptedAlgorithms ssh-ed25519", "")]
    public async Task Both_connect(string text, string exchanged)
    {
        var logs = new LogLines();

        Assert.That(await ConnectAsync(text, Ssh.KnownHosts, logs), Is.Null);

        Assert.That(logs.Of(LogLines.KeysExchanged), Is.Not.Empty.And.All.Contain(exchanged));
        Assert.That(Log, Does.Contain("Accepted publickey for " + SshKeys.User).And.Not.Contain("Failed password"));
    }

    [TestCase("Ciphers 3des-cbc", TransferError.Unsupported)]
    [TestCase("HostKeyAlgorithms rsa-sha2-256\nRequiredRSASize 3072", TransferError.HostKey)]
    [TestCase("PubkeyAuthentication no", TransferError.Auth)]
    [TestCase("PreferredAuthentications keyboard-interactive", TransferError.Auth)]
    [TestCase("PubkeyAcceptedAlgorithms rsa-sha2-512", TransferError.Auth)]
    [TestCase("RevokedHostKeys /nonexistent", TransferError.HostKey)]
    [TestCase("PasswordAuthentication maybe", TransferError.Protocol)]
    public async Task Neither_connects(string text, TransferError expected) =>
        Assert.That(await ConnectAsync(text, Ssh.KnownHosts, new LogLines()), Is.EqualTo(expected));

    [TestCase("ssh-ed25519", true)]
    [TestCase("rsa-sha2-512", false)]
    public async Task Authorities_sign_by_the_algorithms_that_are_allowed(string algorithm, bool connects)
    {
        var known = TextFile("known_hosts", "@cert-authority " + Ssh.KnownHostLine(SshKeys.HostAuthority));

        var error = await ConnectAsync("CASignatureAlgorithms " + algorithm, known, new LogLines());

        Assert.That(error, connects ? Is.Null : Is.EqualTo(TransferError.HostKey));
    }

    private async Task<TransferError?> ConnectAsync(string text, string known, LogLines logs)
    {
        TextFile("also", "Ciphers aes192-ctr");
        var config = TextFile("config", text.Replace("Include also", $"Include {Scratch}/also", StringComparison.Ordinal));
        using var identity = await SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519"));
        await using var client = Ssh.SftpClient(options => options with
        {
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [known] },
            Identities = [identity],
            Credential = new TransferCredential(SshKeys.User, string.Empty),
            Config = new SshConfigOptions { Files = [config], HomeDirectory = Scratch },
            LoggerFactory = logs,
            Retry = new RetryOptions { Attempts = 1 },
        });
        TransferError? error = null;
        try
        {
            await client.ConnectAsync();
        }
        catch (TransferException e)
        {
            TestContext.Out.WriteLine(e.Message);
            error = e.Error;
        }

        Assert.That(OpenSshClient.Connects(Ssh, known, config), Is.EqualTo(error is null), "what OpenSSH does");
        return error;
    }
}
