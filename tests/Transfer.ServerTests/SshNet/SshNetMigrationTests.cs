using Renci.SshNet;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;
using Transfer.SshNet;
using Shell = Transfer.ServerTests.Servers.Shell;

namespace Transfer.ServerTests.SshNet;

/// <summary>Connections of SSH.NET that become Transfer's own, and the code of docs/migrate-from-sshnet.md.</summary>
[TestFixture]
[NonParallelizable] // one test moves the working folder
public sealed class SshNetMigrationTests() : ServerFixture(ServerKind.SshNet, ServerVariant.Sftp)
{
    private SshNetServer Ssh => (SshNetServer)Server;

    [TestCase("ed25519")]
    [TestCase("ecdsa-256")]
    [TestCase("ecdsa-384")]
    [TestCase("ecdsa-521")]
    [TestCase("rsa-2048")]
    public async Task A_translated_key_logs_in(string kind)
    {
        var connection = new ConnectionInfo("localhost", Server.Port, SshKeys.User,
            new PrivateKeyAuthenticationMethod(SshKeys.User, new PrivateKeyFile(SshKeys.PlainUser(kind))));
        var options = await connection.ToSftpOptionsAsync(Known);
        using var identity = options.Identities.Single();
        await using var client = new SftpTransferClient(connection.ToEndpoint(), options);

        await client.ConnectAsync();

        Assert.That(Log, Does.Contain("Accepted publickey for " + SshKeys.User));
    }

    [Test]
    public async Task The_documented_translation_pins_the_key_and_logs_in_by_password()
    {
        var pin = Shell.Run(ServerFiles.SshKeygen, "-l", "-f", SshKeys.Host("ed25519") + ".pub").Split(' ')[1]["SHA256:".Length..];

        await using var client = await SshNetMigration.TakeTheEngine.TranslateAsync(Ssh.Connection(), Server.Credential.Password, pin);

        Assert.That(await client.ExistsAsync(Remote), Is.True);
    }

    [Test]
    public async Task The_documented_calls_do_the_same_over_SSH_NET_and_over_the_engine([Values] bool bySshNet)
    {
        await using TransferClient client = bySshNet ? new SshNetTransferClient(() => Ssh.Connection(), Remote, Ssh.Options())
            : new SftpTransferClient(Ssh.Connection().ToEndpoint(Remote), Known with { Credential = Server.Credential });
        await client.CreateDirectoryAsync("sent");
        var back = Environment.CurrentDirectory;
        Environment.CurrentDirectory = Scratch;
        try
        {
            LocalFile("report.pdf", [1, 2, 3]);
            await SshNetMigration.TakeTheEngine.FilesAsync(client);
            await SshNetMigration.TakeTheEngine.ErrorsAsync(client);
        }
        finally
        {
            Environment.CurrentDirectory = back;
        }

        Assert.That(RemoteNames(), Is.Empty);
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(Scratch, "copy.pdf")), [1, 2, 3]);
    }

    private SftpOptions Known => new()
    {
        HostKeys = new SshHostKeyOptions { KnownHostsFiles = [Ssh.KnownHosts] },
        Agent = new SshAgentOptions { Use = SshAgentUse.Never },
    };
}
