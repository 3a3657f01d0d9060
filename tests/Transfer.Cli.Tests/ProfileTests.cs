using System.Runtime.Versioning;
using System.Text;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Named servers, defaults and variables: their options count like typed ones, in the documented order.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ProfileTests : FtpCommandFixture
{
    private CliHarness Harness => field ??= new CliHarness { Home = _folder.Path };

    private string Config => _folder["config.ini"];

    private string Server => $"ftp://demo@{_server.EndPoint}";

    [Test]
    public async Task A_named_server_stands_for_its_URL_and_options()
    {
        _store.AddFile("/base/in/old.txt", "old"u8);
        Write($"[inbox]\nurl = {Server}/base/in\npassword-env = PW\noverwrite = skip\nexclude = *.tmp\nexclude = *.bak\n");
        Harness.Environment["PW"] = "demo";
        _folder.Add("up/old.txt", "new");
        _folder.Add("up/sub/a.txt", "aaa");
        _folder.Add("up/b.tmp", "b");
        _folder.Add("up/c.bak", "c");
        var put = await RunAsync("put", _folder["up"], "@inbox/");
        var list = await RunAsync("ls", "-R", "@inbox");
        var cat = await RunAsync("cat", "@inbox/old.txt", "@inbox/sub/a.txt");
        Assert.That((put.Code, cat.Output), Is.EqualTo((0, "oldaaa")), $"{put}\n{cat}");
        Assert.That(list.Output, Does.Contain("a.txt").And.Contain("old.txt").And.Not.Contain(".tmp").And.Not.Contain(".bak"));
    }

    [Test]
    public async Task Options_of_the_command_line_count_more_than_variables_and_those_more_than_the_servers_section_and_the_defaults()
    {
        Write($"[defaults]\noverwrite = fail\nsessions = 2\nretries = 1\ntimeout = 20\n[inbox]\nurl = {Server}/\nsessions = 3\n"
            + "retries = 2\ntimeout = 30\npassword-env = PW\n");
        Harness.Environment["PW"] = "demo";
        Harness.Environment["TRANSFER_RETRIES"] = "7";
        Harness.Environment["TRANSFER_TIMEOUT"] = "40";
        Harness.Environment["TRANSFER_PERMS"] = "1";
        Harness.Environment["TRANSFER_QUIET"] = "false";
        var shown = await RunAsync("put", "x", "@inbox/", "--timeout", "50", "--show-options");
        Assert.That(shown.Code, Is.Zero, shown.ToString());
        Assert.Multiple(() =>
        {
            Assert.That(Row(shown, "--timeout"), Does.Contain(" 50 ").And.EndsWith("the command line"));
            Assert.That(Row(shown, "--retries"), Does.Contain(" 7 ").And.EndsWith("TRANSFER_RETRIES"));
            Assert.That(Row(shown, "--sessions"), Does.Contain(" 3 ").And.EndsWith($"[inbox] in {Config}, line 8"));
            Assert.That(Row(shown, "--overwrite"), Does.Contain(" fail ").And.EndsWith($"[defaults] in {Config}, line 2"));
            Assert.That(Row(shown, "--perms"), Does.Contain(" true ").And.EndsWith("TRANSFER_PERMS"));
            Assert.That(Row(shown, "--quiet"), Does.Contain(" false ").And.EndsWith("built in"));
            Assert.That(Row(shown, "--verify"), Does.Contain(" size ").And.EndsWith("built in"));
            Assert.That(Row(shown, "--password-env"), Does.Contain(" PW ").And.EndsWith($"[inbox] in {Config}, line 11"));
        });
    }

    [TestCase("--tls-max 1.2", "ftpes://h.invalid/", "built in")]
    [TestCase("--tls-max 1.3", "ftpes://h.invalid/", "TRANSFER_TLS_MIN")]
    [TestCase("", "sftp://h.invalid/", "built in")]
    public async Task A_default_bound_of_TLS_counts_where_it_is_of_use_and_the_command_line_does_not_exclude_it(
        string typed, string url, string from)
    {
        Harness.Environment["TRANSFER_TLS_MIN"] = "1.3";
        var shown = await RunAsync(["ls", .. typed.Split(' ', StringSplitOptions.RemoveEmptyEntries), url, "--show-options"]);
        Assert.That(shown.Code, Is.Zero, shown.ToString());
        Assert.That(Row(shown, "--tls-min"), Does.EndWith(from));
    }

    [Test]
    public async Task A_default_bound_of_TLS_counts_for_the_FTP_side_of_a_copy()
    {
        Harness.Environment["TRANSFER_TLS_MIN"] = "1.3";
        var shown = await RunAsync("copy", "ftpes://h.invalid/a", "sftp://h.invalid/b", "--show-options");
        Assert.That(Row(shown, "--tls-min"), Does.EndWith("TRANSFER_TLS_MIN"));
    }

    [Test]
    public async Task Values_are_used_and_not_only_shown()
    {
        _store.AddFile("/a.txt", "server"u8);
        var file = _folder.Add("a.txt", "here");
        Write($"[defaults]\noverwrite = fail\n[inbox]\nurl = {Server}/\npassword-env = PW\n");
        Harness.Environment["PW"] = "demo";
        var byDefault = await RunAsync("put", file, "@inbox/");
        Harness.Environment["TRANSFER_OVERWRITE"] = "skip";
        var byVariable = await RunAsync("put", file, "@inbox/");
        var typed = await RunAsync("put", file, "@inbox/", "--overwrite", "always");
        Assert.That((byDefault.Code, byVariable.Code, typed.Code), Is.EqualTo((1, 0, 0)), $"{byDefault}\n{byVariable}\n{typed}");
        Assert.That(byVariable.Error, Does.Contain("1 skipped"));
        Assert.That(Encoding.UTF8.GetString(_store.ReadFile("/a.txt")), Is.EqualTo("here"));
    }

    [TestCase("newer", 1)]
    [TestCase("fail", 1)]
    [TestCase("always", 0)]
    public async Task A_move_has_the_nearest_value_that_it_knows(string overwrite, int code)
    {
        _store.AddFile("/a.txt", "a"u8);
        _store.AddFile("/b.txt", "b"u8);
        Write($"[inbox]\nurl = {Server}/\npassword-env = PW\noverwrite = {overwrite}\n");
        Harness.Environment["PW"] = "demo";
        Assert.That((await RunAsync("mv", "@inbox/a.txt", "b.txt")).Code, Is.EqualTo(code));
        Assert.That((await RunAsync("mv", "@inbox/b.txt", "c.txt")).Code, Is.Zero);
    }

    [Test]
    public async Task A_switch_that_is_on_by_default_is_switched_off_by_the_command()
    {
        _store.AddFile("/www/old.txt", "old"u8);
        _folder.Add("site/new.txt", "new");
        Write($"[defaults]\ndelete = true\nmax-delete = 50%\n[www]\nurl = {Server}/www\npassword-env = PW\n");
        Harness.Environment["PW"] = "demo";
        var kept = await RunAsync("sync", _folder["site"], "@www/", "--delete=false");
        Assert.That((kept.Code, _store.Exists("/www/old.txt")), Is.EqualTo((0, true)), kept.ToString());
        var deleted = await RunAsync("sync", _folder["site"], "@www/");
        Assert.That((deleted.Code, _store.Exists("/www/old.txt")), Is.EqualTo((0, false)), deleted.ToString());
    }

    [Test]
    public async Task Two_named_servers_keep_their_log_ins_and_settings_apart()
    {
        await using var second = await FtpTestServer.StartAsync(
            new FtpTestServerOptions { Users = new Dictionary<string, string> { ["other"] = "secret" } });
        _store.AddFile("/from/a.txt", "aaa"u8);
        Write($"[old]\nurl = {Server}/from\npassword-env = PW\nno-mlsd = true\n"
            + $"[new]\nurl = ftp://{second.EndPoint}/\nuser = other\npassword-command = echo secret\nno-epsv = 1\n");
        Harness.Environment["PW"] = "demo";
        var copy = await RunAsync("copy", "@old/", "@new/to");
        Assert.That(copy.Code, Is.Zero, copy.ToString());
        var cat = await RunAsync("cat", "@new/to/a.txt");
        Assert.That(cat.Output, Is.EqualTo("aaa"), cat.ToString());
        Assert.Multiple(() =>
        {
            Assert.That(_server.Commands.Select(command => command.Verb), Does.Contain("LIST").And.Not.Contain("MLSD").And.Contain("EPSV"));
            Assert.That(second.Commands.Select(command => command.Verb), Does.Contain("PASV").And.Not.Contain("EPSV"));
        });
    }

    [Test]
    public async Task Scripts_have_named_servers_too()
    {
        _store.AddFile("/base/@odd", "odd"u8);
        _store.AddFile("/else/b", "bbb"u8);
        Write($"[inbox]\nurl = {Server}/base/\npassword-env = PW\n[else]\nurl = ftp://{_server.EndPoint}/else\n"
            + "user = demo\npassword-env = PW\n");
        Harness.Environment["PW"] = "demo";
        var file = _folder.Add("script", "cat @odd\ncat @else/b\ncat @inbox/@odd\n");
        var run = await RunAsync("run", file, "--server", "@inbox/");
        Assert.That((run.Code, run.Output), Is.EqualTo((0, "oddbbbodd")), run.ToString());
    }

    [TestCase("[a]\nurl = ftp://h.invalid/\nsesions = 3\n", "line 3: there is no option sesions; is sessions meant?")]
    [TestCase("[a]\nurl = ftp://h.invalid/\noverwrite = sometimes\n", "line 3: overwrite wants fail, skip, newer, always")]
    [TestCase("[a]\nurl = ftp://h.invalid/\nfsync = yes\n", "line 3: fsync is a switch")]
    [TestCase("[a]\nurl = ftp://h.invalid/\n--fsync = 1\n", "line 3: a key has no dashes")]
    [TestCase("[a]\nsessions = 3\n", "line 1: [a] has no url")]
    [TestCase("[a]\nurl = h.invalid\n", "line 2: ")]
    [TestCase("[a]\nurl = ftp://h.invalid/\n[a]\nurl = ftp://h.invalid/\n", "line 3: [a] is there already, in line 1")]
    [TestCase("[a]\nurl = ftp://h.invalid/\ntimeout = 1\ntimeout = 2\n", "line 4: timeout is there twice")]
    [TestCase("[a]\nurl = sftp://h.invalid/\nactive = 1\n", "line 3: active is for FTP")]
    [TestCase("sessions = 3\n", "line 1: this line belongs to no section")]
    [TestCase("[defaults]\npassword-file = x\n", "line 2: password-file is for one server")]
    [TestCase("[defaults]\nshow-options = 1\n", "line 2: there is no option show-options")]
    [TestCase("[a]\nurl = ftp://h.invalid/\nsessions\n", "line 3: a line is KEY = VALUE")]
    [TestCase("[a\n", "line 1: a section is [NAME]")]
    public async Task Mistakes_are_named_with_their_line(string text, string message)
    {
        Write(text);
        var run = await RunAsync("ls", "ftp://h.invalid/");
        Assert.That((run.Code, run.Error), Is.EqualTo((ExitCode.Usage, run.Error)), run.ToString());
        Assert.That(run.Error, Does.StartWith($"transfer: {Config}, {message}"));
    }

    [Test]
    public async Task A_value_that_an_option_refuses_is_named_with_its_line_or_variable()
    {
        Write("[a]\nurl = ftp://h.invalid/\nsessions = many\n");
        var ofFile = await RunAsync("ls", "@a/");
        Harness.Environment["TRANSFER_SESSIONS"] = "0";
        var ofVariable = await RunAsync("ls", "@a/");
        Harness.Environment["TRANSFER_ACTIVE"] = "perhaps";
        var ofSwitch = await RunAsync("ls", "@a/");
        Assert.Multiple(() =>
        {
            Assert.That((ofFile.Code, ofVariable.Code, ofSwitch.Code), Is.EqualTo((2, 2, 2)));
            Assert.That(ofFile.Error, Does.Contain("--sessions wants").And.Contain($"(--sessions: [a] in {Config}, line 3)"));
            Assert.That(ofVariable.Error, Does.Contain("--sessions wants").And.Contain("(--sessions: TRANSFER_SESSIONS)"));
            Assert.That(ofSwitch.Error, Does.Contain("TRANSFER_ACTIVE is a switch"));
        });
    }

    [Test]
    public async Task A_name_that_no_server_has_is_refused_with_the_nearest_one()
    {
        Write("[inbox]\nurl = ftp://h.invalid/\n");
        var near = await RunAsync("ls", "@inbx/");
        var far = await RunAsync("sync", "@nothing", "ftp://h.invalid/");
        Assert.Multiple(() =>
        {
            Assert.That((near.Code, far.Code), Is.EqualTo((2, 2)));
            Assert.That(near.Error, Does.Contain($"There is no profile 'inbx' in {Config}; is @inbox meant?"));
            Assert.That(far.Error, Does.Contain("It has @inbox."));
        });
    }

    [Test]
    public async Task A_folder_here_may_begin_with_an_at()
    {
        Write($"[inbox]\nurl = {Server}/\npassword-env = PW\n");
        Harness.Environment["PW"] = "demo";
        _folder.Add("@types/a.txt", "a");
        var run = await RunAsync("put", _folder["@types"], "@inbox/in");
        Assert.That((run.Code, _store.Exists("/in/a.txt")), Is.EqualTo((0, true)), run.ToString());
    }

    [Test]
    [Platform("Linux,MacOsX")]
    [UnsupportedOSPlatform("windows")]
    public async Task A_password_is_refused_in_a_file_that_others_can_read_and_the_file_if_they_can_write_it()
    {
        Write($"[a]\nurl = {Server}/\npassword = demo\n");
        File.SetUnixFileMode(Config, (UnixFileMode)0b110_100_100);
        var readable = await RunAsync("ls", "@a/");
        File.SetUnixFileMode(Config, (UnixFileMode)0b110_110_000);
        var writable = await RunAsync("ls", "@a/");
        File.SetUnixFileMode(Config, (UnixFileMode)0b110_000_000);
        var own = await RunAsync("ls", "@a/");
        var shown = await RunAsync("ls", "@a/", "--show-options");
        var config = await RunAsync("config", "show", "a");
        Assert.Multiple(() =>
        {
            Assert.That((readable.Code, writable.Code, own.Code), Is.EqualTo((2, 2, 0)), own.ToString());
            Assert.That(readable.Error, Does.Contain("line 3: a password is refused in a file that others can read"));
            Assert.That(writable.Error, Does.Contain("others may write the file"));
            Assert.That(shown.Output + config.Output, Does.Contain("(hidden)").And.Not.Contain("= demo"));
        });
    }

    [Test]
    [Platform("Linux")]
    public async Task A_configuration_of_another_user_is_refused()
    {
        Assume.That(Environment.IsPrivilegedProcess, "only root can give files away");
        var witness = _folder["witness"];
        Write($"[a]\nurl = {Server}/\npassword-command = touch {witness}; echo demo\n");
        await ChownAsync("12345:12345");
        var refused = await RunAsync("ls", "@a/");
        Assert.That((refused.Code, File.Exists(witness)), Is.EqualTo((ExitCode.Usage, false)), refused.ToString());
        Assert.That(refused.Error, Does.Contain(Config).And.Contain("belongs to another user"));
        await ChownAsync("0:12345");
        var own = await RunAsync("ls", "@a/");
        Assert.That((own.Code, File.Exists(witness)), Is.EqualTo((0, true)), own.ToString());

        async Task ChownAsync(string owner)
        {
            using var chown = System.Diagnostics.Process.Start("chown", [owner, Config]);
            await chown.WaitForExitAsync();
            Assert.That(chown.ExitCode, Is.Zero);
        }
    }

    [Test]
    public async Task Defaults_that_are_for_other_servers_or_verbs_are_left_out()
    {
        _store.AddFile("/a", "a"u8);
        Write("[defaults]\nknown-hosts = none-such\naccept-new-host-key = true\ntls-min = 1.3\nmax-delete = 5\nlog-format = jsonl\n"
            + "settle = 1\nidentity = none-such\nca-file = none-such\n");
        Harness.Environment["TRANSFER_RECURSIVE"] = "0";
        Harness.Environment["TRANSFER_CIPHERS"] = "aes128-ctr";
        var file = _folder.Add("x", "x");
        var cat = await RunAsync("cat", Url("/a"));
        var sync = await RunAsync("sync", Path.GetDirectoryName(_folder.Add("s/x", "x"))!, Url("/s"));
        var local = await RunAsync("copy", file, _folder["y"]);
        Assert.That((cat.Code, cat.Output, sync.Code, local.Code), Is.EqualTo((0, "a", 0, 0)), $"{cat}\n{sync}\n{local}");
    }

    [Test]
    public async Task A_typed_option_replaces_one_that_excludes_it()
    {
        Write($"[a]\nurl = {Server}/\npassword-command = exit 3\nremove-source = true\n");
        var wrong = await RunAsync("ls", "@a/");
        var file = _folder.Add("x", "x");
        var right = await RunAsync("put", file, "@a/", "--password-file", _folder.Add("pw", "demo"), "--move-source-to", "sent");
        Assert.That((wrong.Code, right.Code), Is.EqualTo((2, 0)), right.ToString());
        Assert.That(wrong.Error, Does.Contain("--password-command: the command ended with 3").And.Contain($"[a] in {Config}, line 3"));
        Assert.That(File.Exists(_folder["sent/x"]));
    }

    [Test]
    public async Task The_configuration_is_shown()
    {
        Write("[defaults]\nsessions = 4\n\n[inbox]\nurl = sftp://me@h.invalid/in/\npassword-command = pass show inbox\n"
            + "[b]\nurl = ftp://h.invalid/\n");
        var path = await RunAsync("config", "path");
        var list = await RunAsync("config", "list");
        var show = await RunAsync("config", "show");
        var one = await RunAsync("config", "show", "@inbox");
        var wrong = await RunAsync("config", "edit");
        Assert.Multiple(() =>
        {
            Assert.That(path.Output, Is.EqualTo(Config + "\n"));
            Assert.That(list.Output, Is.EqualTo("@inbox  sftp://me@h.invalid/in/\n@b      ftp://h.invalid/\n"));
            Assert.That(show.Output, Is.EqualTo("[defaults]\nsessions = 4\n\n[inbox]\nurl = sftp://me@h.invalid/in/\n"
                + "password-command = (hidden)\n\n[b]\nurl = ftp://h.invalid/\n"));
            Assert.That(one.Output, Is.EqualTo("[inbox]\nurl = sftp://me@h.invalid/in/\npassword-command = (hidden)\n"));
            Assert.That(wrong.Code, Is.EqualTo(ExitCode.Usage));
        });
    }

    [Test]
    [Platform("Linux")]
    public async Task The_file_is_where_the_system_keeps_such_files()
    {
        Harness.Environment.Remove("TRANSFER_CONFIG");
        var usual = await Harness.RunAsync("config", "path");
        Harness.Environment["XDG_CONFIG_HOME"] = _folder["xdg"];
        var xdg = await Harness.RunAsync("config", "path");
        Harness.Environment["TRANSFER_CONFIG"] = "none";
        var none = await Harness.RunAsync("config", "path");
        Harness.Environment["TRANSFER_CONFIG"] = _folder["missing"];
        var missing = await Harness.RunAsync("ls", "@a/");
        Assert.Multiple(() =>
        {
            Assert.That(usual.Output, Is.EqualTo(_folder[".config/transfer/config.ini"] + "\n"));
            Assert.That(xdg.Output, Is.EqualTo(_folder["xdg/transfer/config.ini"] + "\n"));
            Assert.That((none.Code, missing.Code), Is.EqualTo((2, 2)));
            Assert.That(missing.Error, Does.Contain("cannot be read"));
        });
    }

    private static string Row(CliResult run, string option) =>
        run.Output.Split('\n').Single(line => line.StartsWith(option + " ", StringComparison.Ordinal)).TrimEnd();

    private void Write(string text)
    {
        _folder.Add("config.ini", text);
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(Config, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        Harness.Environment["TRANSFER_CONFIG"] = Config;
    }

    private new Task<CliResult> RunAsync(params string[] args) => Harness.RunAsync(args);
}
