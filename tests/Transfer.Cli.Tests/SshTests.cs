using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Cli.Tests;

/// <summary>How <c>sftp:</c> URLs end when the host or the log-in is refused.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SshTests : IDisposable
{
    private static readonly string Pin = SshFingerprint.Of(ScriptedServer.PublicKeyBlob);

    private readonly TempFolder _folder = new();
    private readonly ListeningServer _server = new();
    private readonly List<string> _questions = [];

    public void Dispose()
    {
        _server.Dispose();
        _folder.Dispose();
    }

    [Test]
    public async Task An_unknown_host_key_is_refused()
    {
        var running = RunAsync("ls", _server.Url, "--known-hosts", _folder.Add("known", ""));
        await Assert.ThatAsync(_server.Script.StartLogInAsync, Throws.Exception);
        var result = await running;
        Assert.That((result.Code, result.Error), Is.EqualTo((ExitCode.Trust, result.Error)), result.ToString());
        Assert.That(result.Error, Does.Contain($"--pin {Pin}").And.Contain("--accept-new-host-key"));
    }

    [Test]
    public async Task No_common_algorithm_is_no_connection()
    {
        _server.Script.Algorithms = _server.Script.Algorithms with { Ciphers = ["aes256-ctr"] };
        var running = RunAsync("ls", _server.Url, "--pin", Pin, "--ciphers", "aes128-gcm@openssh.com");
        await Assert.ThatAsync(_server.Script.StartLogInAsync, Throws.Exception);
        var result = await running;
        Assert.That(result.Code, Is.EqualTo(ExitCode.Connection), result.ToString());
        Assert.That(result.Error, Does.Contain("No cipher algorithm in common"));
    }

    [Test]
    public async Task For_an_unknown_jump_host_the_error_names_no_option_that_is_for_the_server_alone([Values] bool isPinned)
    {
        string[] pins = isPinned ? ["--pin", Pin] : [];
        var running = RunAsync(["ls", "sftp://me@files.example/", "--jump", $"me@127.0.0.1:{_server.Port}", "--known-hosts",
            _folder.Add("known", ""), .. pins]);
        await Assert.ThatAsync(_server.Script.StartLogInAsync, Throws.Exception);
        var result = await running;
        Assert.That(result.Code, Is.EqualTo(ExitCode.Trust), result.ToString());
        Assert.That(result.Error, Does.Contain($"[127.0.0.1]:{_server.Port} ssh-ed25519 ").And.Not.Contain("--pin"));
        Assert.That(result.Error, isPinned ? Does.Not.Contain("--accept-new-host-key") : Does.Contain("--accept-new-host-key stores it"));
    }

    [TestCase("yes", true)]
    [TestCase("what?|YES", true)]
    [TestCase("print", true)]
    [TestCase("no", false)]
    [TestCase("||", false)]
    public async Task On_a_terminal_an_unknown_host_key_is_asked_about_and_an_accepted_one_stored(string answers, bool accepted)
    {
        var left = new Queue<string>(answers.Split('|').Select(answer => answer == "print" ? Pin : answer));
        var questions = new List<string>();
        var harness = new CliHarness
        {
            ReadShown = (question, _) =>
            {
                questions.Add(question);
                return left.Dequeue();
            },
        };
        var file = _folder["known"];
        var running = harness.RunAsync("ls", _server.Url, "--known-hosts", _folder.Add("known", ""));
        if (accepted)
        {
            await _server.Script.StartLogInAsync();
            await _server.Script.SendAsync(Failure("publickey"));
        }
        else
        {
            await Assert.ThatAsync(_server.Script.StartLogInAsync, Throws.Exception);
        }
        Assert.That((await running).Code, Is.EqualTo(accepted ? ExitCode.Denied : ExitCode.Trust));
        Assert.That(questions[0], Does.Contain(Pin).And.Contain($"[127.0.0.1]:{_server.Port}").And.Contain("yes/no/fingerprint"));
        Assert.That(left, Is.Empty);
        Assert.That(File.ReadAllText(file), accepted ? Does.StartWith($"[127.0.0.1]:{_server.Port} ssh-ed25519 ") : Is.Empty);
    }

    [Test]
    public async Task A_host_key_that_is_not_the_pinned_one_is_refused()
    {
        var running = RunAsync("ls", _server.Url, "--pin", "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        await Assert.ThatAsync(_server.Script.StartLogInAsync, Throws.Exception);
        Assert.That((await running).Code, Is.EqualTo(ExitCode.Trust));
    }

    [Test]
    public async Task A_new_host_key_is_written_down_when_that_is_wanted()
    {
        var file = _folder["known"];
        var running = RunAsync("ls", _server.Url, "--known-hosts", file, "--accept-new-host-key");
        await _server.Script.StartLogInAsync();
        await _server.Script.SendAsync(Failure("publickey"));
        Assert.That((await running).Code, Is.EqualTo(ExitCode.Denied));
        Assert.That(File.ReadAllText(file), Does.StartWith($"[127.0.0.1]:{_server.Port} ssh-ed25519 "));
    }

    [Test]
    public async Task A_password_is_asked_for_only_when_the_server_takes_one_and_a_refused_log_in_is_told()
    {
        var running = RunAsync("ls", _server.Url, "--pin", Pin);
        await _server.Script.StartLogInAsync();
        Assert.That(_questions, Is.Empty);
        await _server.Script.SendAsync(Failure("password"));
        await _server.Script.ReceiveAsync(MessageNumber.AuthRequest);
        await _server.Script.SendAsync(Failure("password"));
        Assert.That((await running).Code, Is.EqualTo(ExitCode.Denied));
        Assert.That(_questions, Is.EqualTo(new[] { $"me at 127.0.0.1:{_server.Port}: Password: " }));
    }

    [Test]
    public async Task Without_a_terminal_the_error_names_the_options()
    {
        var running = new CliHarness().RunAsync("ls", _server.Url, "--pin", Pin);
        await _server.Script.StartLogInAsync();
        await _server.Script.SendAsync(Failure("password"));
        var result = await running;
        Assert.That(result.Code, Is.EqualTo(ExitCode.Denied));
        Assert.That(result.Error, Does.Contain("--password-file").And.Contain("--identity").And.Contain("TRANSFER_PASSWORD"));
    }

    [Test]
    public async Task Between_two_servers_the_error_does_not_name_the_variable_that_is_for_one()
    {
        var harness = new CliHarness { Environment = { ["TRANSFER_PASSWORD"] = "secret" } };
        var running = harness.RunAsync("copy", _server.Url + "x", "ftp://a:b@127.0.0.1:1/x", "--from-pin", Pin);
        await _server.Script.StartLogInAsync();
        await _server.Script.SendAsync(Failure("password"));
        var result = await running;
        Assert.That(result.Error, Does.Contain("--from-password-file").And.Not.Contain("TRANSFER_PASSWORD"), result.ToString());
    }

    [Test]
    public async Task A_code_is_shown_while_it_is_typed_where_the_server_says_so_and_the_banner_before_it()
    {
        var running = new CliHarness
        {
            ReadSecret = (question, _) => "hidden " + question,
            ReadShown = (question, _) => "shown " + question,
        }.RunAsync("ls", _server.Url, "--pin", Pin);
        await _server.Script.StartLogInAsync();
        await _server.Script.SendAsync(
            ScriptedServer.Message(MessageNumber.AuthBanner, w =>
            {
                w.WriteString("Keep\u001b out.\nforged: line\u2028x");
                w.WriteString("");
            }),
            ScriptedServer.Message(MessageNumber.AuthMethodReply, w =>
            {
                w.WriteString("");
                w.WriteString("Hello");
                w.WriteString("");
                w.WriteUInt32(2);
                w.WriteString("Code: ");
                w.WriteBoolean(true);
                w.WriteString("Pin: ");
                w.WriteBoolean(false);
            }));
        var reader = new Transfer.Sftp.Ssh.Wire.SshReader((await _server.Script.ReceiveAsync(MessageNumber.AuthInfoResponse)).AsSpan(1));
        Assert.That(reader.ReadUInt32(), Is.EqualTo(2u));
        Assert.That(reader.ReadText(), Does.StartWith("shown me at").And.Contain("Hello Code:"));
        Assert.That(reader.ReadText(), Does.StartWith("hidden me at").And.Contain("Pin:"));
        await _server.Script.SendAsync(Failure("keyboard-interactive"));
        var result = await running;
        Assert.That(result.Code, Is.EqualTo(ExitCode.Denied));
        Assert.That(result.Error,
            Does.Contain("says before the log-in: Keep  out.\n").And.Contain("says before the log-in: forged: line x\n"));
    }

    private Task<CliResult> RunAsync(params string[] args) => new CliHarness
    {
        ReadSecret = (question, _) =>
        {
            _questions.Add(question);
            return "typed";
        },
    }.RunAsync(args);

    private static byte[] Failure(string methods) => ScriptedServer.Message(MessageNumber.AuthFailure, w =>
    {
        w.WriteString(methods);
        w.WriteBoolean(false);
    });
}
