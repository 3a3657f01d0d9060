using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>
/// Keys and passwords that the server does not take, or not alone. The plain log-ins are in <see cref="AlgorithmTests"/>.
/// </summary>
[TestFixture]
[Parallelizable]
public sealed class SshLogInTests() : SshFixture(ServerVariant.Sftp)
{
    [Test]
    public async Task A_key_that_the_server_does_not_know_is_an_authentication_error()
    {
        using var identity = await SshIdentity.FromFileAsync(SshKeys.Stranger);
        await using var client = Ssh.SftpClient(
            options => options with { Identities = [identity], Credential = new TransferCredential(SshKeys.User, string.Empty) });

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Auth), error.ToString());
        Assert.That(error.IsTransient, Is.False);
    }

    [Test]
    public async Task The_password_follows_a_key_that_is_refused()
    {
        using var identity = await SshIdentity.FromFileAsync(SshKeys.Stranger);
        await using var client = Ssh.SftpClient(options => options with { Identities = [identity] });

        await client.ConnectAsync();

        Assert.That(Log, Does.Contain("Accepted password for " + SshKeys.User));
    }

    [Test]
    public async Task The_session_comes_with_the_log_in()
    {
        using var logs = new LogLines();
        await using var client = Client(options => options with { LoggerFactory = logs });

        await client.ConnectAsync();

        Assert.That(logs.Of(LogLines.SessionWithLogIn), Has.Count.EqualTo(1));
    }

    [Test]
    public async Task A_key_with_a_passphrase_logs_in()
    {
        var file = Path.Combine(Scratch, "key");
        File.Copy(SshKeys.PlainUser("ecdsa-256"), file);
        Shell.Run(ServerFiles.SshKeygen, "-q", "-p", "-P", string.Empty, "-N", "open sesame", "-f", file);
        using var identity = await SshIdentity.FromFileAsync(file, "open sesame");
        await using var client = Ssh.SftpClient(
            options => options with { Identities = [identity], Credential = new TransferCredential(SshKeys.User, string.Empty) });

        await client.ConnectAsync();

        Assert.That(Log, Does.Contain("Accepted publickey for " + SshKeys.User));
    }
}
