using System.Text;

namespace Transfer.Cli.Tests;

/// <summary>Commands as they are typed: <c>transfer shell</c>, by a terminal whose keys a test presses.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ShellTests : FtpCommandFixture
{
    [Test]
    public async Task Lines_run_over_one_connection_and_a_failure_ends_nothing()
    {
        _store.AddFile("/d/a.txt", "hello"u8);
        var result = await TypeAsync("cd d<CR>cat none<CR>cat a.txt<CR>mkdir x<CR><C-d>", "--sessions", "1");
        Assert.That((result.Code, result.Output), Is.EqualTo((0, "hello")), result.ToString());
        Assert.That(_store.Exists("/d/x"));
        Assert.That(_server.TotalConnections, Is.EqualTo(1));
        Assert.That(result.Error, Does.Contain("/d/> ").And.Contain("none"));
    }

    [TestCase("exit 3<CR>", 3)]
    [TestCase("quit<CR>", 0)]
    [TestCase("<C-d>", 0)]
    [TestCase("echo x<C-c>exit 4<CR>", 4)]
    public async Task A_shell_ends_as_it_is_told(string keys, int code) => Assert.That((await TypeAsync(keys)).Code, Is.EqualTo(code));

    [TestCase("echo abc<Left><Left><BS><CR>", "bc\n", Description = "Backspace")]
    [TestCase("echo abc<Left><Delete><CR>", "ab\n", Description = "Delete")]
    [TestCase("xecho a<Home><Delete><CR>", "a\n", Description = "Home")]
    [TestCase("nonsense<C-u>echo a<CR>", "a\n", Description = "Ctrl-U")]
    [TestCase("echo a b<C-w>c<CR>", "a c\n", Description = "Ctrl-W")]
    [TestCase("echo a<Left><C-k>b<CR>", "b\n", Description = "Ctrl-K")]
    [TestCase("echo one<CR>echo two<CR><Up><Up><CR>", "one\ntwo\none\n", Description = "Up")]
    [TestCase("echo one<CR>echo dr<Up><Down>aft<CR>", "one\ndraft\n", Description = "Down returns to the draft")]
    [TestCase("echo äñ漢<Left><BS><CR>", "ä漢\n", Description = "Characters of several bytes")]
    public async Task Lines_are_edited(string keys, string output) =>
        Assert.That((await TypeAsync(keys + "<C-d>")).Output, Is.EqualTo(output));

    [TestCase("mkd<Tab>/new<CR>", "/new")]
    [TestCase("mkdir fo<Tab>x<CR>", "/folder/x")]
    [TestCase("mkdir folder/in<Tab>x<CR>", "/folder/inner/x")]
    [TestCase("cd fo<Tab><CR>mkdir in<Tab>y<CR>", "/folder/inner/y")]
    [TestCase("mkdir a<Tab>x<CR>", "/a b%/x")]
    public async Task Tab_completes_verbs_and_names_at_the_server(string keys, string made)
    {
        _store.AddDirectory("/folder/inner");
        _store.AddDirectory("/a b%");
        var result = await TypeAsync(keys + "<C-d>");
        Assert.That(_store.Exists(made), string.Join(' ', _store.Directories) + result);
    }

    [Test]
    public async Task Tab_completes_the_names_of_servers()
    {
        _store.AddDirectory("/folder/inner");
        _folder.AddPrivate("config/transfer/config.ini", $"[inbox]\nurl = {Url("/folder")}\n");
        var result = await TypeAsync("mkdir @in<Tab>inner/x<CR><C-d>");
        Assert.That(_store.Exists("/folder/inner/x"), string.Join(' ', _store.Directories) + result);
    }

    [Test]
    public async Task Tab_completes_options_and_names_here_and_shows_a_choice()
    {
        _folder.Add("here.txt", "content");
        _store.AddDirectory("/in-a");
        _store.AddDirectory("/in-b");
        var result = await TypeAsync($"lcd {_folder.Path}<CR>put --pub<Tab>direct he<Tab>in<Tab><Tab>a/<CR><C-d>");
        Assert.That(Encoding.UTF8.GetString(_store.ReadFile("/in-a/here.txt")), Is.EqualTo("content"), result.ToString());
        Assert.That(result.Error, Does.Contain("\nin-a/\nin-b/\n"));
    }

    [Test]
    public async Task Lines_of_earlier_shells_are_recalled_but_for_secrets()
    {
        await TypeAsync("echo one<CR> echo blank<CR>echo ftp://me:s3cr3t@h.invalid/<CR>ls --user me:s3cr3t<CR><C-d>");
        var history = Path.Combine(_folder["state"], "transfer", "shell", "history");
        Assert.That(File.ReadAllText(history), Is.EqualTo("echo one\n"));
        if (!OperatingSystem.IsWindows())
            Assert.That(File.GetUnixFileMode(history), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        Assert.That((await TypeAsync("<Up><CR><C-d>")).Output, Is.EqualTo("one\n"));
    }

    [Test]
    public async Task A_long_line_stays_within_the_width()
    {
        var line = "echo " + string.Concat(Enumerable.Repeat("0123456789", 10));
        var result = await TypeAsync(line + "<CR><C-d>");
        Assert.That(result.Output, Is.EqualTo(line[5..] + "\n"));
        var shown = result.Error.Split('\n')[0].Split('\r').Select(part => part.Length);
        Assert.That(shown, Is.All.LessThan(80));
    }

    [Test]
    public async Task Ctrl_C_ends_the_line_that_runs_and_not_the_shell()
    {
        var result = await TypeAsync("sleep 1h<CR>echo next<CR><C-d>", interrupts: 1);
        Assert.That((result.Code, result.Output), Is.EqualTo((0, "next\n")), result.ToString());
    }

    [Test]
    public async Task A_shell_wants_a_terminal_and_a_server_that_lets_in()
    {
        Assert.That((await RunAsync("shell", Url("/"))).Error, Does.Contain("wants a terminal"));
        var refused = await TypeAtAsync("x", $"ftp://demo:wrong@{_server.EndPoint}/", [], 0);
        Assert.That(refused.Code, Is.EqualTo(ExitCode.Denied), refused.ToString());
    }

    private Task<CliResult> TypeAsync(string keys, params string[] options) => TypeAtAsync(keys, Url("/"), options, 0);

    private Task<CliResult> TypeAsync(string keys, int interrupts) => TypeAtAsync(keys, Url("/"), [], interrupts);

    private Task<CliResult> TypeAtAsync(string keys, string url, string[] options, int interrupts)
    {
        var typed = new Queue<ConsoleKeyInfo>(Keys(keys));
        var terminal = new ShellTerminal(_ => typed.Dequeue(), () => 80, static _ => { },
            () => interrupts-- > 0 ? new CancellationToken(canceled: true) : CancellationToken.None);
        var harness = new CliHarness
        {
            Shell = terminal,
            Environment = { ["XDG_STATE_HOME"] = _folder["state"], ["XDG_CONFIG_HOME"] = _folder["config"] },
        };
        return harness.RunAsync(["shell", .. options, url]);
    }

    // <Name> is a key of that name, <C-x> one with Control; all others type themselves.
    private static IEnumerable<ConsoleKeyInfo> Keys(string keys)
    {
        for (var i = 0; i < keys.Length; i++)
        {
            if (keys[i] != '<')
            {
                yield return new ConsoleKeyInfo(keys[i], ConsoleKey.None, false, false, false);
                continue;
            }

            var end = keys.IndexOf('>', i);
            yield return keys[(i + 1)..end] switch
            {
                "CR" => new ConsoleKeyInfo('\r', ConsoleKey.Enter, false, false, false),
                "Tab" => new ConsoleKeyInfo('\t', ConsoleKey.Tab, false, false, false),
                "BS" => new ConsoleKeyInfo('\b', ConsoleKey.Backspace, false, false, false),
                ['C', '-', var c] => new ConsoleKeyInfo((char)(c - 'a' + 1), ConsoleKey.A + (c - 'a'), false, false, control: true),
                ("Left" or "Up" or "Down") and var arrow =>
                    new ConsoleKeyInfo('\0', Enum.Parse<ConsoleKey>(arrow + "Arrow"), false, false, false),
                var name => new ConsoleKeyInfo('\0', Enum.Parse<ConsoleKey>(name), false, false, false),
            };
            i = end;
        }
    }
}
