using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing;
using Transfer.TestSupport.Ssh;

namespace Transfer.Cli.Tests;

/// <summary>The command at a terminal: signals and keys that end a question, and a terminal that goes.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Platform("Linux", Reason = "Other systems open terminals in other ways.")]
[Category(Categories.Slow)]
public sealed class TerminalTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TempFolder _folder = new();
    private readonly MemoryStore _store = new();
    private readonly ListeningServer _ssh = new();
    private FtpTestServer _server = null!;

    [SetUp]
    public async Task Start()
    {
        _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        Directory.CreateDirectory(_folder["home"]);
    }

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _ssh.Dispose();
        _folder.Dispose();
    }

    [TestCase("TERM", "ftp")]
    [TestCase("TERM", "ssh")]
    [TestCase("TERM", "host key")]
    [TestCase("TERM", "passphrase")]
    [TestCase("INT", "ftp")]
    [TestCase("HUP", "ssh")]
    [TestCase("Ctrl-C", "ssh")]
    [TestCase("Ctrl-C", "host key")]
    [TestCase("Ctrl-D", "ftp")]
    [TestCase("Ctrl-D", "ssh")]
    public async Task The_first_signal_or_key_ends_a_question_and_the_terminal_is_as_before(string end, string question)
    {
        using var program = Run(question);
        await ServeAsync(question);
        await program.WaitForAsync(question switch
        {
            "ftp" => "Password for",
            "ssh" => "Password:",
            "passphrase" => "Passphrase for",
            _ => "yes/no/fingerprint",
        });
        Assert.That((await program.FlagsAsync()).Echo, Is.False);
        program.Type("secret");
        if (end == "Ctrl-C") program.Type("\u0003");
        else if (end == "Ctrl-D") program.Type("\u0015\u0004");
        else program.Send(end);
        var code = await program.EndAsync();
        Assert.That(code, Is.EqualTo(ExitCode.Interrupted), program.Shown);
        Assert.That(program.Shown, Does.Contain("transfer: interrupted"));
        if (question != "host key") Assert.That(program.Shown, Does.Not.Contain("secret"));
        Assert.That(await program.FlagsAsync(), Is.EqualTo((true, true)));
    }

    [Test]
    public async Task A_terminal_that_goes_during_a_question_ends_the_command(
        [Values("ftp", "ssh", "host key", "passphrase")] string question)
    {
        using var program = Run(question);
        await ServeAsync(question);
        await program.WaitForAsync(question switch { "host key" => "yes/no/fingerprint", "passphrase" => "Passphrase", _ => "Password" });
        program.HangUp();
        Assert.That(await program.EndAsync(), Is.EqualTo(ExitCode.Interrupted));
    }

    [Test]
    public async Task A_password_that_is_typed_at_once_is_not_shown()
    {
        _store.AddFile("/x", "content"u8.ToArray());
        using var program = new TerminalProgram(_folder, "ls", $"ftp://demo@{_server.EndPoint}/");
        await program.WaitForAsync("Password for");
        program.Type("demo\r");
        Assert.That(await program.EndAsync(), Is.Zero, program.Shown);
        Assert.That(program.Shown.Replace("for demo", "", StringComparison.Ordinal), Does.Not.Contain("demo").And.Contain("x"));
    }

    [Test]
    public async Task A_terminal_that_goes_during_a_transfer_ends_the_command_and_no_file_is_left_half()
    {
        _store.AddFile("/from/a", new byte[2_000_000]);
        var stall = _server.Faults.StallData(1_000_000, "RETR");
        using var program = new TerminalProgram(
            _folder, "get", "--grace", "0", $"ftp://demo:demo@{_server.EndPoint}/from/a", _folder["to"] + "/");
        await stall.FirstFired.WaitAsync(Patience);
        await program.WaitForAsync("%");
        program.HangUp();
        Assert.That(await program.EndAsync(), Is.EqualTo(ExitCode.Interrupted));
        Assert.That(Directory.GetFiles(_folder["to"]), Is.Empty);
    }

    [Test]
    public async Task A_shell_ends_with_its_terminal_or_a_signal([Values("TERM", "HUP", "close")] string end)
    {
        using var program = new TerminalProgram(_folder, "shell", $"ftp://demo:demo@{_server.EndPoint}/");
        await program.WaitForAsync("> ");
        program.Type("echo gone\r");
        await program.WaitForAsync("\ngone\r\n");
        if (end == "close") program.HangUp();
        else program.Send(end);
        Assert.That(await program.EndAsync(), Is.EqualTo(ExitCode.Interrupted), program.Shown);
    }

    private TerminalProgram Run(string question) => question switch
    {
        "ftp" => new TerminalProgram(_folder, "ls", $"ftp://demo@{_server.EndPoint}/"),
        "ssh" => new TerminalProgram(_folder, "ls", _ssh.Url, "--known-hosts", _folder["known"], "--accept-new-host-key"),
        "passphrase" => new TerminalProgram(_folder, "ls", _ssh.Url, "--identity", _folder.AddPrivate("key", TestKeys.Ed25519Counter256)),
        _ => new TerminalProgram(_folder, "ls", _ssh.Url, "--known-hosts", _folder.Add("known", "")),
    };

    private async Task ServeAsync(string question)
    {
        // Until the client goes.
        if (question == "host key") _ = _ssh.Script.StartLogInAsync().ContinueWith(static ended => ended.Exception, TaskScheduler.Default);
        if (question != "ssh") return;
        await _ssh.Script.StartLogInAsync();
        await _ssh.Script.SendAsync(ScriptedServer.Message(MessageNumber.AuthFailure, w =>
        {
            w.WriteString("password");
            w.WriteBoolean(false);
        }));
    }
}
