using Transfer.Sftp;
using Transfer.Sftp.Keys.Config;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sftp.Keys;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ConfigTests : IDisposable
{
    private readonly RecordingLogger _log = new();
    private readonly TempFolder _folder = new();

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
            Assert.That(host.IdentityFiles,
                Is.EqualTo(new[] { Path.Combine(Home, ".ssh/id_all"), "/keys/files.example.org-first-2222-files", Home + "/last%" }));
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
    [TestCase("Match all", "a", true)]
    [TestCase("Match host a,b", "b", true)]
    [TestCase("Match host=a", "a", true)]
    [TestCase("Match !host a", "a", false)]
    [TestCase("Match originalhost *.org !user nobody", "x.org", true)]
    [TestCase("Match user nobody", "a", false)]
    [TestCase("Match final all", "a", true)]
    [TestCase("Match !final host a", "a", true)]
    [TestCase("Match tagged t", "a", true)]
    [TestCase("Match tagged u", "a", false)]
    public async Task Blocks_apply_to_the_hosts_that_they_name(string line, string alias, bool applies)
    {
        var config = await LoadAsync($"Tag t\n{line}\n  Port 2222\n");
        Assert.That(config.Resolve(alias).Port, applies ? Is.EqualTo(2222) : Is.Null);
        Assert.That(_log.Warnings, Is.Empty);
    }

    [TestCase("Match exec \"true\"")]
    [TestCase("Match localnetwork 10.0.0.0/8 host a")]
    public async Task A_block_that_may_apply_is_skipped_with_a_warning_and_is_an_error_where_it_restricts(string line)
    {
        Assert.That((await LoadAsync($"{line}\n  Port 2222\n")).Resolve("a").Port, Is.Null);
        Assert.That(_log.Warnings.Single(), Does.Contain("config:1").And.Contain("Match"));
        var config = await LoadAsync($"{line}\n  PasswordAuthentication no\n");
        var error = Assert.Catch<TransferException>(() => config.Resolve("a"))!;
        Assert.That((error.Error, error.Message), Is.EqualTo((TransferError.Unsupported, error.Message)));
        Assert.That(error.Message, Does.Contain("config:2").And.Contain("PasswordAuthentication"));
        Assert.That(() => config.Resolve("b"),
            line.EndsWith("host a", StringComparison.Ordinal) ? Throws.Nothing : Throws.InstanceOf<TransferException>());
    }

    [Test]
    public async Task A_block_for_the_final_pass_counts_last_and_may_include_others()
    {
        _folder.AddPrivate("policy", "Match all\n  Ciphers aes256-ctr\n  RequiredRSASize 3072\n");
        var config = await LoadAsync("Match final all\n  Include policy\n  User last\nHost a\n  User first\n");
        var host = config.Resolve("a");
        Assert.That((host.User, string.Join(',', host.Algorithms.Ciphers), host.LogInRules.MinimumRsaBits),
            Is.EqualTo(("first", "aes256-ctr", 3072)));
        Assert.That(config.Resolve("b").User, Is.EqualTo("last"));
    }

    [TestCase("PasswordAuthentication maybe", TransferError.Protocol)]
    [TestCase("PasswordAuthentication", TransferError.Protocol)]
    [TestCase("RequiredRSASize many", TransferError.Protocol)]
    [TestCase("RevokedHostKeys", TransferError.Protocol)]
    [TestCase("AddressFamily inet7", TransferError.Protocol)]
    [TestCase("RekeyLimit 1Q", TransferError.Protocol)]
    [TestCase("Match host\n  User u", TransferError.Protocol)]
    [TestCase("BindAddress host.example", TransferError.Unsupported)]
    [TestCase("BindInterface eth0", TransferError.Unsupported)]
    [TestCase("KnownHostsCommand /bin/keys %H", TransferError.Unsupported)]
    [TestCase("CanonicalizeHostname yes", TransferError.Unsupported)]
    [TestCase("Ciphers 3des-cbc", TransferError.Unsupported)]
    [TestCase("Ciphers -*", TransferError.Unsupported)]
    [TestCase("MACs hmac-sha1\nCiphers aes128-ctr", TransferError.Unsupported)]
    [TestCase("KexAlgorithms diffie-hellman-group1-sha1", TransferError.Unsupported)]
    [TestCase("HostKeyAlgorithms ssh-dss", TransferError.Unsupported)]
    [TestCase("CASignatureAlgorithms ssh-rsa", TransferError.Unsupported)]
    [TestCase("RefuseConnection \"do not\"", TransferError.Denied)]
    public async Task A_restriction_that_cannot_be_kept_refuses_the_host(string text, TransferError expected)
    {
        var config = await LoadAsync($"Host a\n{text}\nHost b\n");
        var error = Assert.Catch<TransferException>(() => config.Resolve("a"))!;
        Assert.That(error.Error, Is.EqualTo(expected));
        Assert.That(error.Message, Does.Contain("config:2"));
        if (!text.StartsWith("Match", StringComparison.Ordinal)) Assert.That(() => config.Resolve("b"), Throws.Nothing);
    }

    [TestCase("KnownHostsCommand none\nCanonicalizeHostname no\nUpdateHostKeys yes\nStrictHostKeyChecking no\nControlMaster auto")]
    public async Task What_restricts_nothing_is_no_matter(string text)
    {
        Assert.That((await LoadAsync(text)).Resolve("a").HostName, Is.EqualTo("a"));
        Assert.That(_log.Warnings, Is.Empty);
    }

    [TestCase("Ciphers aes256-ctr,aes128-ctr,3des-cbc", "aes256-ctr aes128-ctr")]
    [TestCase("Ciphers +3des-cbc", "*")]
    [TestCase("Ciphers -aes*-ctr,chacha*", "aes128-gcm@openssh.com aes256-gcm@openssh.com")]
    [TestCase("MACs hmac-sha1", "aes128-gcm@openssh.com aes256-gcm@openssh.com chacha20-poly1305@openssh.com")]
    public async Task Lists_of_algorithms_are_those_of_OpenSSH(string text, string expected)
    {
        var every = new SshAlgorithms().Ciphers;
        var ciphers = (await LoadAsync(text)).Resolve("a").Algorithms.Ciphers;
        if (expected == "*") Assert.That(ciphers, Is.EqualTo(every));
        else Assert.That(ciphers, Is.EqualTo(expected.Split(' ')));
    }

    [Test]
    public async Task A_caret_puts_names_in_front_and_what_the_options_say_counts_more()
    {
        var config = await LoadAsync("Ciphers ^aes256-ctr\nKexAlgorithms ^ecdh-*\nHostKeyAlgorithms -*cert*\n");
        var said = config.Resolve("a").Algorithms;
        Assert.That((said.Ciphers[0], said.Ciphers.Count, said.KeyExchanges[0]),
            Is.EqualTo(("aes256-ctr", new SshAlgorithms().Ciphers.Count, "ecdh-sha2-nistp256")));
        Assert.That(said.HostKeys, Has.None.Contains("cert"));
        var given = new SshAlgorithms { Ciphers = ["aes128-ctr"] };
        Assert.That(config.Resolve("a", algorithms: given).Algorithms.Ciphers, Is.EqualTo(given.Ciphers));
    }

    [Test]
    public async Task Log_ins_agents_addresses_and_keys_are_as_the_configuration_says()
    {
        var host = (await LoadAsync("""
            PasswordAuthentication no
            ChallengeResponseAuthentication no
            PubkeyAuthentication host-bound
            PreferredAuthentications keyboard-interactive,publickey
            PubkeyAcceptedKeyTypes rsa-sha2-256,ssh-rsa
            IdentityAgent ~/agent.%h
            BatchMode yes
            AddressFamily inet6
            BindAddress ::1
            RekeyLimit 16M 10m
            HashKnownHosts yes
            RevokedHostKeys /etc/revoked-%h
            GlobalKnownHostsFile none
            CASignatureAlgorithms -rsa*
            """)).Resolve("x");
        using (Assert.EnterMultipleScope())
        {
            Assert.That((host.LogInRules.Password, host.LogInRules.KeyboardInteractive, host.LogInRules.PublicKey),
                Is.EqualTo((false, false, true)));
            Assert.That(host.LogInRules.Preferred, Is.EqualTo(new[] { "keyboard-interactive", "publickey" }));
            Assert.That(host.LogInRules.SignatureAlgorithms, Is.EqualTo(new[] { "rsa-sha2-256" }));
            Assert.That(host.IdentityAgent, Is.EqualTo(Path.Combine(Home, "agent.x")));
            Assert.That((host.IsBatchMode, host.AddressFamily, host.BindAddress),
                Is.EqualTo((true, System.Net.Sockets.AddressFamily.InterNetworkV6, System.Net.IPAddress.IPv6Loopback)));
            Assert.That((host.Rekey.Bytes, host.Rekey.Time), Is.EqualTo((16UL << 20, TimeSpan.FromMinutes(10))));
            Assert.That((host.HostKeyRules.HashesNames, host.HostKeyRules.RevokedKeysFiles.Single(),
                host.HostKeyRules.GlobalKnownHostsFiles!.Count), Is.EqualTo((true, "/etc/revoked-x", 0)));
            Assert.That(host.HostKeyRules.AuthoritySignatures, Has.None.Contains("rsa").And.Contains("ssh-ed25519"));
        }
    }

    [TestCase("IdentityAgent none", "")]
    [TestCase("IdentityAgent SSH_AUTH_SOCK", null)]
    [TestCase("IdentityAgent $TRANSFER_NO_SUCH_VARIABLE", "")]
    public async Task An_agent_may_be_none(string text, string? expected) =>
        Assert.That((await LoadAsync(text)).Resolve("x").IdentityAgent, Is.EqualTo(expected));

    [Test]
    public async Task An_unknown_keyword_is_warned_of_unless_it_is_to_be_ignored()
    {
        await LoadAsync("RevokedHostKey /keys\nIgnoreUnknown Other*\nOtherWord yes\n");
        Assert.That(_log.Warnings.Single(), Does.Contain("config:1").And.Contain("revokedhostkey is unknown"));
    }

    [Test]
    public void The_documentation_lists_every_keyword_as_it_is_used()
    {
        var table = File.ReadLines(Path.Combine(Repository.Root, "docs", "ssh-config.md"))
            .Select(line => line.Split('|', StringSplitOptions.TrimEntries)).Where(cells => cells.Length == 5 && cells[1].StartsWith('`'))
            .SelectMany(cells => cells[1].Split(", ").Select(name => (Name: name.Trim('`'), Use: cells[2])));
        string[] words = ["obeyed", "refused", "without effect"];
        Assert.That(table, Is.EquivalentTo(ConfigKeywords.All.Select(keyword => (keyword.Name, words[(int)keyword.Use]))));
    }

    [Test]
    [Platform("Linux")]
    [System.Runtime.Versioning.SupportedOSPlatform("linux")]
    public async Task A_file_that_a_group_may_write_or_that_is_somebody_elses_is_refused_an_included_one_too()
    {
        var included = _folder.AddPrivate("included", "Port 22");
        var file = _folder.AddPrivate("config", "Include included");
        Assert.That((await SshConfigFile.LoadAsync([file], Home, _log, default)).Resolve("x").Port, Is.EqualTo(22));
        File.SetUnixFileMode(included, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupWrite);
        Assume.That(Environment.IsPrivilegedProcess, "only root can give files away");
        Chown("12345:12345", included);
        Assert.That((await RefusalAsync(file)).Message, Does.Contain(included).And.Contain("another user"));
        Chown("0:12345", included);
        Assert.That((await RefusalAsync(file)).Message, Does.Contain(included).And.Contain("a group"));
        File.SetUnixFileMode(included, UnixFileMode.UserRead);
        Assert.That((await SshConfigFile.LoadAsync([file], Home, _log, default)).Resolve("x").Port, Is.EqualTo(22));
    }

    [TestCase(1000u, 1000u, true, TestName = "A group of its user's own")]
    [TestCase(1001u, 100u, false, TestName = "A group that two have as their first")]
    [TestCase(1002u, 1002u, false, TestName = "A group with another member")]
    [TestCase(1000u, 1001u, false, TestName = "Another user's group")]
    [TestCase(4711u, 4711u, false, TestName = "A group that is not in the files")]
    public void A_group_is_ones_own_when_nobody_else_is_in_it(uint user, uint group, bool expected) => Assert.That(
        Transfer.Sftp.Keys.Files.OwnGroup.HasSingleMember(
            user,
            group,
            "a:x:1000:1000::/:\nb:x:1001:100::/:\nc:x:1003:100::/:\nd:x:1002:1002::/:\n",
            "a:x:1000:a\nb:x:1001:\nusers:x:100:\nd:x:1002:a\n"),
        Is.EqualTo(expected));

    private async Task<TransferException> RefusalAsync(string file)
    {
        var error = (await Assert.CatchAsync<TransferException>(async () => await SshConfigFile.LoadAsync([file], Home, _log, default)))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied));
        return error;
    }

    private static void Chown(string owner, string file)
    {
        using var chown = System.Diagnostics.Process.Start("chown", [owner, file]);
        chown.WaitForExit();
        Assert.That(chown.ExitCode, Is.Zero);
    }

    [Test]
    public async Task A_host_that_is_not_named_is_itself()
    {
        var host = (await LoadAsync("Host other\n  User x\n")).Resolve("files.example.org");
        Assert.That((host.HostName, host.User, host.Port, host.UserKnownHostsFiles),
            Is.EqualTo(("files.example.org", (string?)null, (int?)null, (IReadOnlyList<string>?)null)));
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
        Assert.That((await LoadAsync(text)).Resolve("x").UserKnownHostsFiles,
            Is.EqualTo(expected.Split('|', StringSplitOptions.RemoveEmptyEntries)));

    [TestCase("Port x")]
    [TestCase("Port 0")]
    [TestCase("Port 65536")]
    [TestCase("Port")]
    [TestCase("User")]
    [TestCase("User ''")]
    [TestCase("HostName")]
    [TestCase("HostKeyAlias")]
    [TestCase("IdentityFile")]
    [TestCase("UserKnownHostsFile")]
    [TestCase("UserKnownHostsFile /a \"\"")]
    [TestCase("GlobalKnownHostsFile")]
    [TestCase("ProxyJump")]
    [TestCase("ProxyJump \"\"")]
    [TestCase("ProxyJump ,")]
    [TestCase("ProxyCommand")]
    [TestCase("RekeyLimit")]
    [TestCase("RekeyLimit ''")]
    [TestCase("Tag\nMatch tagged t")]
    [TestCase("Host")]
    [TestCase("Match")]
    [TestCase("Match ''")]
    public async Task A_setting_without_a_sensible_value_is_an_error_where_it_applies(string line)
    {
        var config = await LoadAsync($"Host x\n{line}\nPort 2222\nUser u\nHost y");
        var error = Assert.Catch<TransferException>(() => config.Resolve("x"))!;
        Assert.That((error.Error, error.Message), Is.EqualTo((TransferError.Protocol, error.Message)));
        Assert.That(error.Message, Does.Contain("config:2").And.Contain(line.Split(' ', '\n')[0]));
        if (line[0] is not ('H' or 'M') || line.StartsWith("Host", StringComparison.Ordinal) && line.Length > 4)
            Assert.That(() => config.Resolve("y"), Throws.Nothing);
    }

    [TestCase("Include")]
    [TestCase("Include a ''")]
    public async Task An_Include_without_a_file_is_an_error(string line)
    {
        var error = await Assert.CatchAsync<TransferException>(() => LoadAsync(line));
        Assert.That((error!.Error, error.Message), Is.EqualTo((TransferError.Protocol, error.Message)));
        Assert.That(error.Message, Does.Contain("config:1: Include"));
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
        _folder.AddPrivate("10.conf", "Host files\n  Port 10\n");
        _folder.AddPrivate("20.conf", "User included\n");
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
        var second = _folder.AddPrivate("system", "Port 22\nUser everybody\n");
        var config = await SshConfigFile.LoadAsync([_folder.AddPrivate("config", "Port 2222\n"), second], Home, _log, default);
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
        (await LoadAsync("Match final all\n  Ciphers aes128-ctr\nMatch exec true\n  GSSAPIAuthentication yes\n")).Resolve("x");
        Assert.That(_log.Warnings, Is.Empty);
    }

    [Test]
    [Platform(Exclude = "Win")]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task A_file_that_anybody_may_write_is_refused()
    {
        var config = _folder.AddPrivate("config", "Port 22");
        File.SetUnixFileMode(config, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherWrite);
        var error = await Assert.CatchAsync<TransferException>(
            async () => await SshConfigFile.LoadAsync([Path.Combine(_folder.Path, "config")], Home, _log, default));
        Assert.That((error!.Error, error.Message), Is.EqualTo((TransferError.Denied, error.Message)));
        Assert.That(error.Message, Does.Contain("anybody"));
    }

    [Test]
    public async Task An_absent_file_says_nothing()
    {
        var config = await SshConfigFile.LoadAsync([Path.Combine(_folder.Path, "absent")], Home, _log, default);
        Assert.That(config.Resolve("x").HostName, Is.EqualTo("x"));
    }

    private async Task<SshConfigFile> LoadAsync(string text) =>
        await SshConfigFile.LoadAsync([_folder.AddPrivate("config", text)], Home, _log, default);
}
