using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>sshd wants the password and then a key, and offers the key's method only behind the password.</summary>
[TestFixture]
[Parallelizable]
public sealed class PasswordFirstTests()
    : SshFixture(ServerVariant.Sftp with { Name = "PasswordFirst", SshSettings = "AuthenticationMethods password,publickey" })
{
    [Test]
    public async Task The_password_and_one_key_log_in_together()
    {
        using var identity = await SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519"));
        await using var client = Ssh.SftpClient(options => options with { Identities = [identity] });

        using var source = new MemoryStream(Bytes.Random(1000));
        await client.UploadAsync(source, Remote + "/file");

        Assert.That(Log, Does.Contain("Partial password for " + SshKeys.User).And.Contain("Accepted publickey for " + SshKeys.User));
    }

    [Test]
    public async Task The_password_alone_does_not()
    {
        await using var client = Client();

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Auth), error.ToString());
    }
}
