using Transfer.Sftp.Keys.Config;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sftp.Keys;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ConfigTests : IDisposable
{
    private readonly RecordingLogger _log = new();
    private readonly KeyFolder _folder = new();

    private static string Home => Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task The_first_value_counts_and_identity_files_add_up()
    {
        var config = await LoadAsync("""
            User first
            IdentityFile ~/.ssh/id_all
            Host files
                HostName files.example.org
                Port 2222
                User second
                IdentityFile /keys/%h-%r-%p-%n
                IdentitiesOnly yes
            Host *
                Port 22
                IdentityFile %d/last%%
            """);
        var host = config.Resolve("files");
        using (Assert.EnterMultipleScope())
        {
            Assert.That(host.HostName, Is.EqualTo("files.example.org"));
            Assert.That(host.User, Is.EqualTo("first"));
            Assert.That(host.Port, Is.EqualTo(2222));
            Assert.That(host.IdentityFiles, Is.EqualTo(new[] { Path.Combine(Home, ".ssh/id_all"), "/keys/files.example.org-first-2222-files", Home + "/last%" }));
            Assert.That(host.IdentitiesOnly);
            Assert.That(_log.Warnings, Is.Empty);
        }
    }

    [TestCase("Host a b", "b", true)]
    [TestCase("Host *.example.org", "x.example.org", true)]
    [TestCase("Host *.example.org !x.*", "x.example.org", false)]
    [TestCase("Host \"a\"", "a", true)]
    [TestCase("HOST=a", "a", true)]
    [TestCase("host = a # a comment", "a", true)]
    [TestCase("Host", "a", false)]
    [TestCase("Match all", "a", true)]
    [TestCase("Match host a", "a", false)]
    [TestCase("Match", "a", false)]
    public async Task Blocks_apply_to_the_hosts_that_they_name(string line, string alias, bool applies)
    {
        var config = await LoadAsync($"{line}\n  Port 2222\n");
        Assert.That(config.Resolve(alias).Port, applies ? Is.EqualTo(2222) : Is.Null);
        Assert.That(_log.Warnings.Any(w => w.Contains("Match", StringComparison.Ordinal)), Is.EqualTo(line.StartsWith("Match", StringComparison.Ordinal) && !applies));
    }

    [Test]
    public async Task A_host_that_is_not_named_is_itself()
    {
        var host = (await LoadAsync("Host other\n  User x\n")).Resolve("files.example.org");
        Assert.That((host.HostName, host.User, host.Port, host.UserKnownHostsFiles), Is.EqualTo(("files.example.org", (string?)null, (int?)null, (IReadOnlyList<string>?)null)));
    }

    [Test]
    public async Task HostName_may_build_on_the_alias() =>
        Assert.That((await LoadAsync("HostName %h.example.org")).Resolve("files").HostName, Is.EqualTo("files.example.org"));

    [TestCase("ProxyJump a,user@b:2222", "a user@b:2222", null)]
    [TestCase("ProxyJump none\nProxyJump a", "", null)]
    [TestCase("ProxyJump a\nProxyCommand nc %h %p", "a", null)]
    [TestCase("ProxyCommand nc x 22\nProxyJump a", "", "nc x 22")]
    [TestCase("ProxyCommand none\nProxyJump a", "", null)]
    public async Task The_first_of_jumps_and_commands_counts(string text, string jumps, string? command)
    {
        var host = (await LoadAsync(text)).Resolve("files");
        Assert.That(host.ProxyJump, Is.EqualTo(jumps.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
        Assert.That(host.ProxyCommand, Is.EqualTo(command));
    }

    [TestCase("UserKnownHostsFile none", "")]
    [TestCase("UserKnownHostsFile \"/a b\" /c\nUserKnownHostsFile /d", "/a b|/c")]
    public async Task Known_hosts_files_may_be_several_or_none(string text, string expected) =>
        Assert.That((await LoadAsync(text)).Resolve("x").UserKnownHostsFiles, Is.EqualTo(expected.Split('|', StringSplitOptions.RemoveEmptyEntries)));

    [TestCase("Port x")]
    [TestCase("Port 0")]
    [TestCase("Port 65536")]
    [TestCase("Port")]
    [TestCase("User")]
    [TestCase("IdentityFile")]
    public async Task A_setting_without_a_sensible_value_is_skipped_with_a_warning(string line)
    {
        var host = (await LoadAsync($"{line}\nPort 2222\nUser u")).Resolve("x");
        Assert.That((host.Port, host.User), Is.EqualTo((2222, "u")));
        Assert.That(_log.Warnings.Single(), Does.Contain("config:1"));
    }

    [Test]
    public async Task An_open_quote_ends_the_reading()
    {
        var error = await Assert.ThrowsAsync<TransferException>(() => LoadAsync("Host a\nHost \"b\n  User x"));
        Assert.That(error!.Message, Does.Contain(":2: a quote"));
    }

    [Test]
    public async Task Included_files_stand_where_the_Include_stands_and_under_its_conditions()
    {
        _folder.Write("10.conf", "Host files\n  Port 10\n");
        _folder.Write("20.conf", "User included\n");
        var config = await LoadAsync("Include *.conf absent\nHost other\n  Include 20.conf\n  Port 30\nHost *\n  Port 40\n");
        Assert.That(config.Resolve("files").Port, Is.EqualTo(10));
        Assert.That(config.Resolve("files").User, Is.EqualTo("included"));
        Assert.That(config.Resolve("other").Port, Is.EqualTo(30));
        Assert.That(config.Resolve("third").Port, Is.EqualTo(40));
        var conditional = await LoadAsync("Host other\n  Include 20.conf\n");
        Assert.That(conditional.Resolve("files").User, Is.Null);
        Assert.That(conditional.Resolve("other").User, Is.EqualTo("included"));
    }

    [Test]
    public async Task Files_that_include_themselves_are_an_error()
    {
        var error = await Assert.ThrowsAsync<TransferException>(() => LoadAsync("Include config config"));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task Of_several_files_the_first_counts_most()
    {
        var second = _folder.Write("system", "Port 22\nUser everybody\n");
        var config = await SshConfigFile.LoadAsync([_folder.Write("config", "Port 2222\n"), second], Home, _log, default);
        Assert.That((config.Resolve("x").Port, config.Resolve("x").User), Is.EqualTo((2222, "everybody")));
    }

    [Test]
    public async Task A_user_and_a_port_that_are_given_count_more_also_in_what_is_built_of_them()
    {
        var host = (await LoadAsync("User u\nPort 22\nIdentityFile /%r/%p")).Resolve("x", "given", 2222);
        Assert.That((host.User, host.Port, host.IdentityFiles!.Single()), Is.EqualTo(("given", 2222, "/given/2222")));
    }

    [Test]
    public async Task A_Match_block_about_other_things_is_no_matter()
    {
        await LoadAsync("Match final all\n  Ciphers aes128-ctr\nMatch exec true\n  GSSAPIAuthentication yes\n");
        Assert.That(_log.Warnings, Is.Empty);
    }

    [Test]
    [Platform(Exclude = "Win")]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task A_file_that_anybody_may_write_is_refused()
    {
        File.SetUnixFileMode(_folder.Write("config", "Port 22"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherWrite);
        var error = await Assert.CatchAsync<TransferException>(async () => await SshConfigFile.LoadAsync([Path.Combine(_folder.Root, "config")], Home, _log, default));
        Assert.That((error!.Error, error.Message), Is.EqualTo((TransferError.Denied, error.Message)));
        Assert.That(error.Message, Does.Contain("anybody"));
    }

    [Test]
    public async Task An_absent_file_says_nothing()
    {
        var config = await SshConfigFile.LoadAsync([Path.Combine(_folder.Root, "absent")], Home, _log, default);
        Assert.That(config.Resolve("x").HostName, Is.EqualTo("x"));
    }

    private async Task<SshConfigFile> LoadAsync(string text) => await SshConfigFile.LoadAsync([_folder.Write("config", text)], Home, _log, default);
}
