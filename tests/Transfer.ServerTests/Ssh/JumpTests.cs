using Transfer.ServerTests.Command;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;
using Transfer.Sftp;

namespace Transfer.ServerTests.Ssh;

/// <summary>A second sshd as the host to go through.</summary>
[TestFixture]
[Parallelizable]
public sealed class JumpTests() : SshFixture(ServerVariant.Sftp)
{
    private const int Files = 500;
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private SshServer _hop = null!;

    [SetUp]
    public async Task StartHop() =>
        _hop = (SshServer)await RealServer.StartAsync(ServerKind.OpenSsh, ServerVariant.Sftp with { Name = "Hop" });

    [TearDown]
    public async Task StopHop() => await _hop.DisposeAsync();

    [Test]
    public async Task A_folder_goes_up_and_comes_down_through_the_hop()
    {
        var source = Path.Combine(Scratch, "source");
        var target = Path.Combine(Scratch, "target");
        var bytes = TestTree.Write(source, Files);
        using var identity = await SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519"));
        await using var client = Client(options => options with { Identities = [identity], MaxSessions = 8, SessionsPerConnection = 2 });

        var up = await client.UploadDirectoryAsync(source, Remote + "/tree");
        Assert.That(up.Failures, Is.Empty);
        Assert.That((up.Files, up.Bytes), Is.EqualTo(((long)Files, bytes)));
        Assert.That(TestTree.Differences(source, Server.Local(Remote + "/tree"), Second), Is.Empty);

        var down = await client.DownloadDirectoryAsync(Remote + "/tree", target);
        Assert.That(down.Failures, Is.Empty);
        Assert.That((down.Files, down.Bytes), Is.EqualTo(((long)Files, bytes)));
        Assert.That(TestTree.Differences(source, target, Second), Is.Empty);

        // All connections went through one to the hop.
        Assert.That(_hop.Log.Split("Accepted publickey for " + SshKeys.User).Length - 1, Is.EqualTo(1));
        Assert.That(_hop.Log, Does.Not.Contain("password"));
    }

    [Test]
    public async Task A_large_file_comes_whole_both_ways()
    {
        var source = LocalFile("large", Bytes.Random(40_000_000));
        using var identity = await SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519"));
        await using var client = Client(options => options with { Identities = [identity] });

        await client.UploadFileAsync(source, Remote + "/large");
        await client.DownloadFileAsync(Remote + "/large", Path.Combine(Scratch, "back"));

        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/large")), File.ReadAllBytes(source));
        Bytes.AssertSame(File.ReadAllBytes(Path.Combine(Scratch, "back")), File.ReadAllBytes(source));
    }

    [Test]
    public async Task A_hop_that_dies_in_mid_transfer_is_named_and_no_part_of_the_file_shows()
    {
        using var identity = await SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519"));
        await using var client = Client(options => options with { Identities = [identity] });
        var source = new GatedStream(2_000_000, before: 1_000_000);
        var upload = client.UploadAsync(source, Remote + "/file");
        await source.Reached.WaitAsync(TimeSpan.FromSeconds(60));

        _hop.Kill();
        source.Open();

        var error = (await Assert.CatchAsync<TransferException>(() => upload))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Lost), error.ToString());
        Assert.That(error.ToString(), Does.Contain($"127.0.0.1:{_hop.Port}"));
        Assert.That(File.Exists(Server.Local(Remote + "/file")), Is.False);
    }

    [Test]
    public async Task A_hop_that_forbids_tunnels_is_a_clear_error()
    {
        await using var strict = (SshServer)await RealServer.StartAsync(
            ServerKind.OpenSsh, ServerVariant.Sftp with { Name = "StrictHop", SshSettings = "AllowTcpForwarding no" });
        using var identity = await SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519"));
        await using var client = Client(options => options with { Identities = [identity] }, strict);

        var error = (await Assert.CatchAsync<TransferException>(async () => await client.ConnectAsync()))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Denied), error.ToString());
        Assert.That(error.Message, Does.Contain($"{OpenSshServer.NameInside}:{Server.Port} is not reached").And.Contain("127.0.0.1"));
    }

    [Test]
    public async Task Keys_of_a_host_are_read_through_the_hop()
    {
        using var identity = await SshIdentity.FromFileAsync(SshKeys.PlainUser("ed25519"));
        var keys = await SshHostKeys.ReadAsync(OpenSshServer.NameInside, Server.Port, new()
        {
            Identities = [identity],
            Agent = new SshAgentOptions { Use = SshAgentUse.Never },
            Jump = [SshJumpHost.Parse($"{SshKeys.User}@127.0.0.1:{_hop.Port}")],
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [_hop.KnownHosts] },
        });
        Assert.That(keys.Select(key => key.KnownHostsLine), Is.EquivalentTo(InsideLines()));
        Assert.That(_hop.Log.Split("Accepted publickey for " + SshKeys.User).Length - 1, Is.EqualTo(1));
        Assert.That(Log, Does.Not.Contain("Accepted"));
    }

    [Test]
    public async Task The_command_goes_by_the_users_configuration()
    {
        var home = Directory.CreateDirectory(Path.Combine(Scratch, "home")).FullName;
        var ssh = Directory.CreateDirectory(Path.Combine(home, ".ssh")).FullName;
        File.Copy(SshKeys.PlainUser("ecdsa-256"), Path.Combine(ssh, "of-hop"));
        File.WriteAllText(Path.Combine(ssh, "known"), File.ReadAllText(KnownInside()) + File.ReadAllText(_hop.KnownHosts));
        File.WriteAllText(Path.Combine(ssh, "config"), $"""
            Host files
              HostName {OpenSshServer.NameInside}
              Port {Server.Port}
              User {SshKeys.User}
              ProxyJump gate
            Host gate
              HostName 127.0.0.1
              Port {_hop.Port}
              User {SshKeys.User}
              IdentityFile ~/.ssh/of-hop
            Host *
              UserKnownHostsFile ~/.ssh/known

            """);
        var source = Path.Combine(Scratch, "source");
        TestTree.Write(source, files: 120);

        var put = await TransferCommand.RunInHomeAsync(Server, home, "put", source, $"sftp://files{Remote}/tree");
        var get = await TransferCommand.RunInHomeAsync(Server, home, "get", $"sftp://files{Remote}/tree/", Path.Combine(Scratch, "target"));

        Assert.That((put.ExitCode, get.ExitCode), Is.EqualTo((0, 0)), put.Errors + get.Errors);
        Assert.That(TestTree.Differences(source, Path.Combine(Scratch, "target"), Second), Is.Empty);
        Assert.That(_hop.Log, Does.Contain("Accepted publickey for " + SshKeys.User));
        Assert.That(Log, Does.Contain("Accepted password for " + SshKeys.User));
    }

    /// <summary>A client through the hop, to a name that only the hop can look up.</summary>
    private SftpTransferClient Client(Func<SftpOptions, SftpOptions> change, SshServer? hop = null) => Ssh.SftpClient(
        options => change(options) with
        {
            Jump = [SshJumpHost.Parse($"{SshKeys.User}@127.0.0.1:{(hop ?? _hop).Port}")],
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [KnownInside(), (hop ?? _hop).KnownHosts] },
        },
        OpenSshServer.NameInside);

    // As ssh-keyscan writes them: the name inside, and no comment.
    private IEnumerable<string> InsideLines() =>
        from file in SshKeys.Hosts
        let words = File.ReadAllText(file + ".pub").Split(' ')
        select $"[{OpenSshServer.NameInside}]:{Server.Port} {words[0]} {words[1]}";

    private string KnownInside() =>
        TextFile("known-inside",
            File.ReadAllText(Ssh.KnownHosts).Replace("[localhost]", $"[{OpenSshServer.NameInside}]", StringComparison.Ordinal));
}
