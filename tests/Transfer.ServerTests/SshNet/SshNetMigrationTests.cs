using System.Security.Cryptography;
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
        await using var client = await SshNetMigration.TakeTheEngine.TranslateAsync(Ssh.Connection(), Server.Credential.Password,
            HostKey());

        Assert.That(await client.ExistsAsync(Remote), Is.True);
    }

    [Test]
    public async Task The_documented_calls_do_the_same_over_SSH_NET_and_over_the_engine([Values] bool bySshNet)
    {
        await using TransferClient client = bySshNet ? new SshNetTransferClient(() => Ssh.Connection(), Remote, Ssh.Options())
            : new SftpTransferClient(Ssh.Connection().ToEndpoint(Remote), Known with { Credential = Server.Credential });
        await client.CreateDirectoryAsync("sent");
        await InScratchAsync(async () =>
        {
            LocalFile("report.pdf", [1, 2, 3]);
            await SshNetMigration.TakeTheEngine.FilesAsync(client);
            await SshNetMigration.TakeTheEngine.ErrorsAsync(client);
        });

        Assert.That(RemoteNames(), Is.Empty);
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(Scratch, "copy.pdf")), [1, 2, 3]);
    }

    [Test]
    public async Task The_documented_tasks_end_the_same_by_both_libraries()
    {
        await InScratchAsync(async () =>
        {
            await SshNetMigration.Stage.FillAsync();
            var (theirs, ours) = ($"{Remote}/theirs", $"{Remote}/ours");
            foreach (var folder in new[] { theirs, ours }) MakeSite(folder);
            var key = SshKeys.PlainUser("ed25519");
            SshNetMigration.Theirs.Run("localhost", Server.Port, SshKeys.User, key, HostKey(), theirs);
            await SshNetMigration.Ours.RunAsync(Ssh.Connection().ToEndpoint(ours), key, Ssh.KnownHosts, HostKey());
            Assert.That(Tree(ours), Has.Length.EqualTo(111).And.EqualTo(Tree(theirs)));
        });
    }

    [Test]
    public async Task The_documented_ways_to_keep_connections_move_files()
    {
        await InScratchAsync(async () =>
        {
            await SshNetMigration.Stage.FillAsync();
            var password = Server.Credential.Password;
            SshNetMigration.KeepConnections.Tuned("localhost", Server.Port, SshKeys.User, password, Remote);
            Assert.That(RemoteNames(), Is.EqualTo(new[] { "report.pdf" }));

            await SshNetMigration.KeepConnections.ByConnectionInfoAsync("localhost", Server.Port, SshKeys.User,
                SshKeys.PlainUser("ed25519"), Remote, Ssh.Options());
            Assert.That(RemoteNames(), Is.EqualTo(Enumerable.Range(0, 5).Select(i => $"{i}.html")));

            await using var client = SshNetMigration.KeepConnections.ByClient("localhost", Server.Port, SshKeys.User, password, HostKey(),
                Remote);
            await client.UploadFileAsync("report.pdf", "report.pdf");
            Assert.That(RemoteNames(), Does.Contain("report.pdf"));
        });
    }

    private static string HostKey() =>
        Shell.Run(ServerFiles.SshKeygen, "-l", "-f", SshKeys.Host("ed25519") + ".pub").Split(' ')[1]["SHA256:".Length..];

    // With a file that a mirror deletes.
    private void MakeSite(string folder)
    {
        var local = Server.Local(folder);
        var site = Directory.CreateDirectory(Path.Combine(local, "site")).FullName;
        File.WriteAllText(Path.Combine(site, "old.html"), "gone here");
        ServerUser.Own(local);
    }

    private string[] Tree(string folder)
    {
        var root = Server.Local(folder);
        return [.. Directory.EnumerateFiles(root, "*", SearchOption.AllDirectories)
            .Select(path => $"{Path.GetRelativePath(root, path)} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path)))}")
            .Order(StringComparer.Ordinal)];
    }

    private async Task InScratchAsync(Func<Task> run)
    {
        var back = Environment.CurrentDirectory;
        Environment.CurrentDirectory = Scratch;
        try
        {
            await run();
        }
        finally
        {
            Environment.CurrentDirectory = back;
        }
    }

    private SftpOptions Known => new()
    {
        HostKeys = new SshHostKeyOptions { KnownHostsFiles = [Ssh.KnownHosts] },
        Agent = new SshAgentOptions { Use = SshAgentUse.Never },
    };
}
