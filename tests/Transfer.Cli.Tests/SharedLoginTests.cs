using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>A log-in of variables and of a script's options is for one server, and never reaches another.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SharedLoginTests : IAsyncDisposable
{
    // One password for all: sent to the wrong server, it would log in.
    private static readonly Dictionary<string, string> Users = new(StringComparer.Ordinal)
    {
        ["ua"] = "secretA",
        ["ub"] = "secretA",
        ["anonymous"] = string.Empty,
    };

    private readonly TempFolder _folder = new();
    private readonly MemoryStore _store = new();
    private readonly CliHarness _harness = new();
    private FtpTestServer _first = null!;
    private FtpTestServer _second = null!;

    [SetUp]
    public async Task Start()
    {
        _store.AddFile("/b.txt", "content"u8);
        _first = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store, Users = Users });
        _second = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store, Users = Users });
        _harness.Environment["TRANSFER_CONFIG"] = _folder.AddPrivate("config.ini",
            $"[a]\nurl = ftp://ua@{_first.EndPoint}/\n[b]\nurl = ftp://ub@{_second.EndPoint}/\n");
    }

    public async ValueTask DisposeAsync()
    {
        await _first.DisposeAsync();
        await _second.DisposeAsync();
        _folder.Dispose();
    }

    [TestCase("TRANSFER_PASSWORD", "secretA", "cat @b/b.txt")]
    [TestCase("TRANSFER_PASSWORD_FILE", "pw", "cat @b/b.txt")]
    [TestCase("TRANSFER_PASSWORD_ENV", "PW", "cat @b/b.txt")]
    [TestCase("TRANSFER_PASSWORD_COMMAND", "echo secretA", "cat @b/b.txt")]
    [TestCase("TRANSFER_PASSWORD", "secretA", "copy :b.txt @b/c.txt")]
    public async Task A_password_of_a_variable_reaches_the_scripts_server_and_no_named_one(string name, string value, string line)
    {
        Set(name, value);
        var run = await _harness.RunAsync("run", _folder.Add("script", $"cat b.txt\n{line}"), "--server", $"ftp://ua@{_first.EndPoint}/");
        Assert.That((run.Code, run.Output), Is.EqualTo((ExitCode.Usage, "content")), run.ToString());
        Assert.That(run.Error, Does.Contain("No password for ub").And.Not.Contain("set TRANSFER_PASSWORD"), "what is set is not used");
        Assert.That((LogIns(_first), LogIns(_second)), Is.EqualTo(("ua", "")));
    }

    [TestCase("ftp://ub@")]
    [TestCase("ftp://")]
    public async Task A_log_in_of_a_script_reaches_no_other_user_of_its_server(string other)
    {
        _harness.Environment["TRANSFER_PASSWORD"] = "secretA";
        var script = _folder.Add("script", $"cat b.txt ftp://ua@{_first.EndPoint}/b.txt\ncat {other}{_first.EndPoint}/b.txt");
        var ofVariable = await _harness.RunAsync("run", script, "--server", $"ftp://ua@{_first.EndPoint}/");
        var ofOption = await _harness.RunAsync("run", script, "--server", $"ftp://ua@{_first.EndPoint}/",
            "--password-file", _folder.AddPrivate("pw", "secretA"));
        foreach (var run in new[] { ofVariable, ofOption })
        {
            Assert.That(run.Output, Does.StartWith("contentcontent"), run.ToString());
            if (other.Contains("ub", StringComparison.Ordinal)) Assert.That(run.Error, Does.Contain("No password for ub"));
        }
        Assert.That(LogIns(_first), Is.EqualTo(other.Contains("ub", StringComparison.Ordinal) ? "ua" : "ua anonymous"));
    }

    [TestCase("TRANSFER_PASSWORD", "secretA")]
    [TestCase("TRANSFER_PASSWORD_FILE", "pw")]
    public async Task A_password_of_a_variable_reaches_the_named_server_of_a_script(string name, string value)
    {
        Set(name, value);
        var run = await _harness.RunAsync("run", _folder.Add("script", "cat b.txt\ncat @a/b.txt"), "--server", "@a/");
        Assert.That((run.Code, run.Output, LogIns(_first)), Is.EqualTo((0, "contentcontent", "ua")), run.ToString());
    }

    [TestCase("TRANSFER_PASSWORD", "secretA")]
    [TestCase("TRANSFER_PASSWORD_FILE", "pw")]
    [TestCase("TRANSFER_PASSWORD_ENV", "PW")]
    [TestCase("TRANSFER_PASSWORD_COMMAND", "echo secretA")]
    public async Task A_password_of_a_variable_reaches_a_named_server_that_is_alone_and_neither_of_two(string name, string value)
    {
        Set(name, value);
        var copy = await _harness.RunAsync("copy", "--dry-run", "@a/", "@b/x");
        var get = await _harness.RunAsync("get", "@a/b.txt", "@b/b.txt", _folder["down/"]);
        Assert.That((copy.Code, get.Code, LogIns(_first), LogIns(_second)),
            Is.EqualTo((ExitCode.Usage, ExitCode.Usage, "", "")), $"{copy}\n{get}");
        var alone = await _harness.RunAsync("cat", "@a/b.txt");
        Assert.That((alone.Output, LogIns(_first)), Is.EqualTo(("content", "ua")), alone.ToString());
    }

    [TestCase("insecure", "true")]
    [TestCase("pin", "SHA256:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")]
    [TestCase("identity", "key")]
    public async Task Trust_and_keys_of_variables_and_defaults_count_for_one_server_only(string option, string value)
    {
        // The other options are refused in [defaults].
        var defaults = option == "identity" ? $"[defaults]\n{option} = {value}\n" : string.Empty;
        _folder.AddPrivate("config.ini", $"{defaults}[a]\nurl = ftpes://ua@a.invalid/\n[b]\nurl = sftp://ub@b.invalid/\n");
        var byDefault = await _harness.RunAsync("copy", "@a/", "@b/", "--show-options");
        _harness.Environment["TRANSFER_" + option.ToUpperInvariant()] = value;
        var byVariable = await _harness.RunAsync("copy", "@a/", "@b/", "--show-options");
        Assert.That((byDefault.Code, byVariable.Code), Is.EqualTo((0, 0)), $"{byDefault}\n{byVariable}");
        Assert.That(byDefault.Output + byVariable.Output, Does.Not.Contain("[defaults]").And.Not.Contain("TRANSFER_"));
    }

    private void Set(string name, string value)
    {
        _harness.Environment["PW"] = "secretA";
        _harness.Environment[name] = value == "pw" ? _folder.AddPrivate("pw", "secretA") : value;
    }

    // The users whose passwords were sent.
    private static string LogIns(FtpTestServer server)
    {
        var commands = server.Commands.ToList();
        return string.Join(' ', commands.Where(command => command.Verb == "USER"
            && commands.Exists(other => other.Verb == "PASS" && other.Connection == command.Connection))
            .Select(command => command.Argument).Distinct());
    }
}
