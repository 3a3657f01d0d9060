using System.Text;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Cli.Tests;

/// <summary>How the command reads OpenSSH's configuration, and goes through jump hosts.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SshConfigTests : IDisposable
{
    private static readonly string Pin = SshFingerprint.Of(ScriptedServer.PublicKeyBlob);

    private readonly TempFolder _home = new();
    private readonly ListeningServer _server = new();

    public void Dispose()
    {
        _server.Dispose();
        _home.Dispose();
    }

    [Test]
    public async Task An_alias_of_the_users_configuration_is_connected_to()
    {
        _home.AddPrivate(".ssh/config", Alias("User bob"));
        Assert.That(await FirstRequestAsync("ls", "sftp://files/", "--pin", Pin), Does.Contain("bob"));
    }

    [Test]
    public async Task The_url_counts_more_than_the_configuration()
    {
        _home.AddPrivate(".ssh/config", Alias("User bob"));
        Assert.That(await FirstRequestAsync("ls", "sftp://alice:pw@files/", "--pin", Pin),
            Does.Contain("alice").And.Contain("pw").And.Not.Contain("bob"));
    }

    [Test]
    public async Task Another_file_is_read_instead_when_it_is_named()
    {
        _home.AddPrivate(".ssh/config", "Host files\n HostName nowhere.invalid\n");
        Assert.That(await FirstRequestAsync("ls", "sftp://files/", "--pin", Pin, "--ssh-config",
            _home.AddPrivate("other", Alias("User bob"))), Does.Contain("bob"));
    }

    [Test]
    public async Task Nothing_is_read_when_that_is_wanted()
    {
        _home.AddPrivate(".ssh/config", "User bob\nProxyCommand nc %h %p\n");
        Assert.That(await FirstRequestAsync("ls", $"sftp://127.0.0.1:{_server.Port}/", "--pin", Pin, "--ssh-config", "none"),
            Does.Not.Contain("bob"));
    }

    [Test]
    public async Task A_key_of_the_configuration_is_tried_and_its_passphrase_asked_for()
    {
        _home.AddPrivate("key", TestKeys.Ed25519Counter256);
        _home.AddPrivate(".ssh/config", Alias("IdentityFile ~/key"));
        var questions = new List<string>();
        var running = new CliHarness
        {
            Home = _home.Path,
            ReadSecret = (question, _) =>
            {
                questions.Add(question);
                return TestKeys.Passphrase;
            },
        }.RunAsync("ls", "sftp://files/", "--pin", Pin);
        var request = await _server.Script.StartLogInAsync();
        Assert.That((Encoding.UTF8.GetString(request).Contains("publickey", StringComparison.Ordinal), questions.Count),
            Is.EqualTo((true, 0)));
        await _server.Script.SendAsync(ScriptedServer.Message(MessageNumber.AuthMethodReply, w =>
        {
            w.WriteString("ssh-ed25519");
            w.WriteString(Convert.FromBase64String(TestKeys.Ed25519Public.Split(' ')[1]));
        }));
        await _server.Script.ReceiveAsync(MessageNumber.AuthRequest);
        Assert.That(questions, Is.EqualTo(new[] { $"Passphrase for {_home["key"]}: " }));
        await _server.Script.SendAsync(Failure("publickey"));
        Assert.That((await running).Code, Is.EqualTo(ExitCode.Denied));
    }

    [Test]
    public async Task A_host_with_a_proxy_command_is_refused()
    {
        _home.AddPrivate(".ssh/config", "Host files\n ProxyCommand nc %h %p\n");
        var result = await RunAsync("ls", "sftp://files/");
        Assert.That(result.Code, Is.EqualTo(ExitCode.Connection), result.ToString());
        Assert.That(result.Error, Does.Contain("ProxyCommand"));
    }

    [TestCase("--jump")]
    [TestCase("-J")]
    public async Task Jump_goes_through_a_host_that_never_sees_the_password(string option)
    {
        using var hop = new ScriptedHop { Reach = (_, _) => _server.Script };
        var known = _home.Add("known", $"* ssh-ed25519 {Convert.ToBase64String(ScriptedServer.PublicKeyBlob)}\n");
        var running = RunAsync("ls", "sftp://alice:s3cr3t@files.example/", option, $"gate@127.0.0.1:{hop.Port}", "--known-hosts", known);
        var toHop = Encoding.UTF8.GetString(await hop.Script.StartLogInAsync());
        await hop.Script.SendAsync([MessageNumber.AuthSuccess]);
        _ = hop.CarryAsync();
        Assert.That(Encoding.UTF8.GetString(await _server.Script.StartLogInAsync()), Does.Contain("s3cr3t"));
        await _server.Script.SendAsync(Failure("publickey"));
        Assert.That((await running).Code, Is.EqualTo(ExitCode.Denied));
        Assert.That(toHop, Does.Contain("gate").And.Not.Contain("s3cr3t"));
        Assert.That(hop.Asked, Is.EqualTo(new[] { "files.example:22" }));
    }

    [TestCase("ls sftp://h/ --jump", "wants")]
    [TestCase("ls sftp://h/ --jump a,,b", "--jump wants")]
    [TestCase("ls sftp://h/ --jump me:pw@a", "--jump wants")]
    [TestCase("ls ftp://h/ --jump a", "--jump is for sftp: only")]
    [TestCase("ls ftp://h/ --ssh-config none", "--ssh-config is for sftp: only")]
    [TestCase("ls sftp://h/ --ssh-config nowhere", "no file nowhere")]
    [TestCase("copy sftp://a/x sftp://b/x --jump c", "--from-jump and --to-jump")]
    [TestCase("copy ftp://a/x sftp://b/x --from-jump c", "--from-jump is for sftp: only")]
    public async Task What_makes_no_sense_is_refused(string line, string message)
    {
        var result = await RunAsync(line.Split(' '));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(result.Error, message == "wants" ? Does.Contain("--jump") : Does.Contain(message));
    }

    private static byte[] Failure(string methods) => ScriptedServer.Message(MessageNumber.AuthFailure, w =>
    {
        w.WriteString(methods);
        w.WriteBoolean(false);
    });

    private string Alias(string more) => $"Host files\n HostName 127.0.0.1\n Port {_server.Port}\n {more}\n";

    private Task<CliResult> RunAsync(params string[] args) => new CliHarness { Home = _home.Path }.RunAsync(args);

    /// <summary>The first log-in request that the server gets; the command ends with its refusal.</summary>
    private async Task<string> FirstRequestAsync(params string[] args)
    {
        var running = RunAsync(args);
        var request = await _server.Script.StartLogInAsync();
        await _server.Script.SendAsync(Failure("publickey"));
        Assert.That((await running).Code, Is.EqualTo(ExitCode.Denied));
        return Encoding.UTF8.GetString(request);
    }
}
