using Transfer.Sftp;
using Transfer.Sftp.Keys.Config;
using Transfer.Sftp.Routes;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sftp.Routes;

/// <summary>What counts for a host, and which way leads to it.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class RoutePlannerTests : IDisposable
{
    private readonly TempFolder _folder = new();

    private string Ssh(string name) => Path.Combine(_folder.Path, ".ssh", name);

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task An_alias_gets_everything_from_the_configuration()
    {
        var host = (await PlanAsync(new SshJumpHost("files"), """
            Host files
              HostName files.example.org
              Port 2222
              User bob
              HostKeyAlias known-as
              IdentityFile ~/id_files
              IdentitiesOnly yes
              UserKnownHostsFile ~/known
            """)).Single();
        using (Assert.EnterMultipleScope())
        {
            Assert.That((host.Host, host.Port, host.User, host.HostKeyAlias, host.Config.IdentitiesOnly),
                Is.EqualTo(("files.example.org", 2222, "bob", "known-as", true)));
            Assert.That(host.IdentityFiles, Is.EqualTo(new[] { Path.Combine(_folder.Path, "id_files") }));
            Assert.That(host.KnownHostsFiles, Is.EqualTo(new[] { Path.Combine(_folder.Path, "known") }));
        }
    }

    [Test]
    public async Task The_endpoint_and_the_options_count_more()
    {
        using var identity = await SshIdentity.FromTextAsync(TestKeys.Ed25519);
        var endpoint = new SshJumpHost("files") { Port = 22, Credential = new TransferCredential("alice", "") };
        var host = (await PlanAsync(
            endpoint, "Port 2222\nUser bob\nIdentityFile /keys/%r-%p\nProxyJump gate",
            options => options with { Identities = [identity], Jump = [] })).Single();
        Assert.That((host.User, host.Port, host.Credential), Is.EqualTo(("alice", 22, (TransferCredential?)null)));
        Assert.That(host.IdentityFiles, Is.Empty);
        var withFiles = (await PlanAsync(endpoint, "Port 2222\nUser bob\nIdentityFile /keys/%r-%p")).Single();
        Assert.That(withFiles.IdentityFiles, Is.EqualTo(new[] { "/keys/alice-22" }));
    }

    [Test]
    public async Task A_password_may_come_without_a_user_and_goes_to_the_endpoint_alone()
    {
        var way = await PlanAsync(new SshJumpHost("files") { Credential = new TransferCredential("", "pw") },
            "Host files\n User bob\n ProxyJump gate");
        Assert.That(way.Select(host => (host.User, host.Credential?.Password)),
            Is.EqualTo(new[] { (Environment.UserName, null), ("bob", "pw") }));
    }

    [Test]
    public async Task Where_nothing_is_said_it_is_as_OpenSSH_has_it()
    {
        var host = (await PlanAsync(new SshJumpHost("files"), "")).Single();
        Assert.That((host.Host, host.Port, host.User), Is.EqualTo(("files", 22, Environment.UserName)));
        Assert.That(host.IdentityFiles, Is.EqualTo(new[] { Ssh("id_ed25519"), Ssh("id_ecdsa"), Ssh("id_rsa") }));
        Assert.That(host.KnownHostsFiles, Is.EqualTo(new[] { Ssh("known_hosts"), Ssh("known_hosts2") }));
        Assert.That((await PlanAsync(new SshJumpHost("files"), "IdentityFile none")).Single().IdentityFiles, Is.Empty);
    }

    [Test]
    public void Without_a_configuration_no_key_is_looked_for()
    {
        var way = RoutePlanner.Plan(new SshJumpHost("files"), new SftpOptions { Jump = [SshJumpHost.Parse("me@gate:2222")] }, null,
            _folder.Path);
        Assert.That(way.Select(host => (host.Host, host.Port, host.User, host.IdentityFiles.Count, host.KnownHostsFiles)), Is.EqualTo(new[]
        {
            ("gate", 2222, "me", 0, (IReadOnlyList<string>?)null),
            ("files", 22, Environment.UserName, 0, null),
        }));
    }

    [TestCase("ProxyJump a,bob@b:2222", "me@a:22 bob@b:2222 me@files:22", TestName = "A_list_of_hops_is_gone_through_in_its_order")]
    [TestCase("ProxyJump b\nHost b\n HostName b.example\n User u\n ProxyJump a", "me@a:22 u@b.example:22 me@files:22",
        TestName = "The_first_hop_is_reached_as_the_configuration_says")]
    [TestCase("ProxyJump a,b\nHost b\n ProxyJump c", "me@a:22 me@b:22 me@files:22",
        TestName = "Later_hops_are_reached_through_the_one_before")]
    [TestCase("ProxyJump a,b\nHost b\n ProxyCommand nc %h %p", "me@a:22 me@b:22 me@files:22", TestName = "Later_hops_need_no_program")]
    [TestCase("ProxyJump ssh://u@[::1]:2222", "u@::1:2222 me@files:22", TestName = "A_hop_may_be_a_URL")]
    [TestCase("ProxyJump none\nHost *\n ProxyJump a", "me@files:22", TestName = "A_host_may_be_exempt")]
    public async Task The_way(string settings, string expected)
    {
        var way = await PlanAsync(new SshJumpHost("files"), "Host files\n " + settings);
        Assert.That(
            string.Join(' ', way.Select(host => $"{(host.User == Environment.UserName ? "me" : host.User)}@{host.Host}:{host.Port}")),
            Is.EqualTo(expected));
    }

    [TestCase("ProxyCommand nc %h %p", TransferError.Unsupported, "ProxyCommand")]
    [TestCase("ProxyJump a\nHost a\n ProxyCommand nc %h %p", TransferError.Unsupported, "a reached by a ProxyCommand")]
    [TestCase("ProxyJump a\nHost a\n ProxyJump FILES", TransferError.Unsupported, "circle: files, a, FILES")]
    [TestCase("ProxyJump files", TransferError.Unsupported, "circle: files, files")]
    [TestCase("ProxyJump a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a", TransferError.Unsupported, "more than 16")]
    [TestCase("ProxyJump a:x", TransferError.Protocol, "ProxyJump of files")]
    [TestCase("HostName a/b", TransferError.Protocol, "HostName of files")]
    public async Task A_way_that_cannot_be_is_refused(string settings, TransferError error, string message)
    {
        var failure = await Assert.CatchAsync<TransferException>(() => PlanAsync(new SshJumpHost("files"), "Host files\n " + settings));
        Assert.That((failure!.Error, failure.Message), Is.EqualTo((error, failure.Message)));
        Assert.That(failure.Message, Does.Contain(message));
    }

    [TestCase("ProxyCommand nc %h %p")]
    [TestCase("ProxyJump a")]
    public async Task Hops_of_the_options_are_instead_of_the_configurations(string settings)
    {
        var way = await PlanAsync(new SshJumpHost("files"), "Host files\n " + settings,
            options => options with { Jump = [new SshJumpHost("gate")] });
        Assert.That(way.Select(host => host.Host), Is.EqualTo(new[] { "gate", "files" }));
        Assert.That(await PlanAsync(new SshJumpHost("files"), "Host files\n " + settings, options => options with { Jump = [] }),
            Has.Count.EqualTo(1));
    }

    [Test]
    public async Task Hops_are_trusted_by_the_clients_files_and_never_by_its_pins()
    {
        var keys = new SshHostKeyOptions
        {
            KnownHostsFiles = ["/known"],
            Pins = ["SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
            AcceptNew = true
        };
        var own = new SshHostKeyOptions();
        var way = await PlanAsync(new SshJumpHost("files"), "",
            options => options with { HostKeys = keys, Jump = [new SshJumpHost("a"), new SshJumpHost("b") { HostKeys = own }] });
        Assert.That(way[0].HostKeys, Is.EqualTo(keys with { Pins = way[0].HostKeys.Pins }));
        Assert.That(way[0].HostKeys.Pins, Is.Empty);
        Assert.That(way[1].HostKeys, Is.SameAs(own));
        Assert.That(way[2].HostKeys, Is.SameAs(keys));
    }

    [TestCase("host", null, "host", null)]
    [TestCase("me@host:2222", "me", "host", 2222)]
    [TestCase("me@example.org@host", "me@example.org", "host", null)]
    [TestCase("[::1]:2222", null, "::1", 2222)]
    [TestCase("::1", null, "::1", null)]
    [TestCase("me@[::1]", "me", "::1", null)]
    [TestCase("ssh://me@host:2222/", "me", "host", 2222)]
    [TestCase(" host ", null, "host", null)]
    public void A_jump_host_is_read(string text, string? user, string host, int? port)
    {
        var jump = SshJumpHost.Parse(text);
        Assert.That((jump.Credential?.UserName, jump.Host, jump.Port), Is.EqualTo((user, host, port)));
    }

    [TestCase(0)]
    [TestCase(65536)]
    public void A_port_that_is_none_is_refused(int port) =>
        Assert.That(() => new SshJumpHost("h") { Port = port }, Throws.InstanceOf<ArgumentOutOfRangeException>());

    [TestCase("")]
    [TestCase("@host")]
    [TestCase("me:s3cr3t@host")]
    [TestCase("host:")]
    [TestCase("host:0")]
    [TestCase("host:65536")]
    [TestCase("host:+1")]
    [TestCase("[::1")]
    [TestCase("[::1]x")]
    [TestCase("ho st")]
    [TestCase("-oProxyCommand=x")]
    public void What_is_no_jump_host_is_refused_and_not_repeated(string text) =>
        Assert.That(() => SshJumpHost.Parse(text),
            Throws.ArgumentException.With.Message.Not.Contains("s3cr3t").And.Message.Contains("[user@]host[:port]"));

    private async Task<IReadOnlyList<HostPlan>> PlanAsync(SshJumpHost endpoint, string settings,
        Func<SftpOptions, SftpOptions>? change = null)
    {
        var config = await SshConfigFile.LoadAsync([_folder.AddPrivate("config", settings)], _folder.Path, new RecordingLogger(), default);
        var options = new SftpOptions();
        return RoutePlanner.Plan(endpoint, change?.Invoke(options) ?? options, config, _folder.Path);
    }
}
