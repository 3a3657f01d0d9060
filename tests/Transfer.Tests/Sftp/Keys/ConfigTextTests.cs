using Transfer.Sftp.Keys.Config;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sftp.Keys;

/// <summary>The words of ssh_config, and the files that an Include names: the values are those of <c>ssh -G</c>.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ConfigTextTests : IDisposable
{
    private readonly RecordingLogger _log = new();
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [TestCase("*.conf", "a.conf")]
    [TestCase("sub/*/policy.conf", "sub/one/policy.conf")]
    [TestCase("s*/?ne/policy.conf", "sub/one/policy.conf")]
    [TestCase("*/*/*", "sub/one/policy.conf")]
    [TestCase("sub/[nop]ne/policy.conf", "sub/one/policy.conf")]
    [TestCase("sub/[!x]ne/policy.conf", "sub/one/policy.conf")]
    [TestCase("sub/[a-z]ne/policy.conf", "sub/one/policy.conf")]
    [TestCase("sub/[[:lower:]]ne/policy.conf", "sub/one/policy.conf")]
    [TestCase("p[ab].conf", "pa.conf pb.conf")]
    [TestCase("p[!a].conf", "pb.conf")]
    [TestCase("[]x].conf", "x.conf")]
    [TestCase("'pa.conf'", "pa.conf")]
    [TestCase("'a b'/*", "a b/c")]
    [TestCase("p*", "pa.conf pb.conf")]
    [TestCase(".hidden*", ".hidden")]
    [TestCase("*idden", "")]
    [TestCase(".*/policy.conf", ".d/policy.conf")]
    [TestCase("[^x].conf", "x.conf")]
    [TestCase("{pa,pb}.conf", "")]
    [TestCase("[pa.conf", "")]
    [TestCase("p[!ab].conf", "")]
    [TestCase("P*", "")]
    [Platform(Exclude = "Win")]
    public async Task An_Include_finds_the_files_that_OpenSSH_finds(string pattern, string expected)
    {
        string[] files =
            ["a.conf", "pa.conf", "pb.conf", "x.conf", "sub/one/policy.conf", "sub/none", ".hidden", ".d/policy.conf", "a b/c"];
        foreach (var file in files) Add(file, $"IdentityFile /{file.Replace(' ', '_')}");
        // a.conf is found by *.conf alone.
        if (pattern == "*.conf") foreach (var other in new[] { "pa.conf", "pb.conf", "x.conf" }) File.Delete(_folder[other]);
        var found = (await LoadAsync($"Include {pattern}")).Resolve("h").IdentityFiles ?? [];
        Assert.That(string.Join(' ', found), Is.EqualTo(string.Join(' ', expected == "a b/c" ? ["/a_b/c"]
            : expected.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(file => "/" + file))));
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task An_Include_takes_absolute_patterns_and_a_backslash_literally()
    {
        Add("sub/one/p", "IdentityFile /one");
        Add("sub/o*e/p", "IdentityFile /star");
        async Task<IReadOnlyList<string>?> FilesAsync(string pattern) => (await LoadAsync($"Include {pattern}")).Resolve("h").IdentityFiles;
        using (Assert.EnterMultipleScope())
        {
            Assert.That(await FilesAsync(_folder["s*/one/p"]), Is.EqualTo(new[] { "/one" }));
            Assert.That(await FilesAsync(@"sub/o\*e/p"), Is.EqualTo(new[] { "/star" }));
            Assert.That(await FilesAsync(@"s*/o\*e/p"), Is.EqualTo(new[] { "/star" }));
            Assert.That(await FilesAsync("sub/*/p"), Is.EqualTo(new[] { "/star", "/one" }));
        }
    }

    [Test]
    public async Task A_revoked_key_of_an_included_policy_is_not_forgotten()
    {
        Add("sub/one/policy.conf", "RevokedHostKeys /etc/revoked");
        Assert.That((await LoadAsync("Include sub/*/policy.conf")).Resolve("h").HostKeyRules.RevokedKeysFiles,
            Is.EqualTo(new[] { "/etc/revoked" }));
    }

    [TestCase("Include ~nobody.there/config")]
    [TestCase("UserKnownHostsFile ~nobody.there/known_hosts")]
    [TestCase("IdentityFile ~nobody.there/id")]
    public async Task The_home_folder_of_another_user_is_an_error_and_no_folder_below_the_current_one(string line)
    {
        var error = await Assert.CatchAsync<TransferException>(async () => (await LoadAsync(line)).Resolve("h"));
        Assert.That((error!.Error, error.Message), Is.EqualTo((TransferError.Unsupported, error.Message)));
        Assert.That(error.Message, Does.Contain("config:1").And.Contain("nobody.there"));
    }

    [TestCase("UserKnownHostsFile")]
    [TestCase("GlobalKnownHostsFile")]
    [TestCase("RevokedHostKeys")]
    [TestCase("IdentityFile")]
    [TestCase("IdentityAgent")]
    public async Task A_variable_in_the_name_of_a_file_is_expanded_or_an_error(string keyword)
    {
        const string Variable = "TRANSFER_TEST_FOLDER";
        Environment.SetEnvironmentVariable(Variable, "/%n/$HOME");
        var host = (await LoadAsync($"{keyword} ${{{Variable}}}/%n/file")).Resolve("h");
        string?[] found = [.. host.UserKnownHostsFiles ?? [], .. host.HostKeyRules.GlobalKnownHostsFiles ?? [],
            .. host.HostKeyRules.RevokedKeysFiles, .. host.IdentityFiles ?? [], host.IdentityAgent];
        Assert.That(found.OfType<string>(), Is.EqualTo(new[] { "/%n/$HOME/h/file" }));
        foreach (var wrong in new[] { "${TRANSFER_NO_SUCH_VARIABLE}/file", "${HOME" })
        {
            var error = Assert.Catch<TransferException>(() => LoadAsync($"{keyword} {wrong}").Result.Resolve("h"))!;
            Assert.That(error.Message, Does.Contain("config:1").And.Contain(keyword));
        }
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task An_Include_may_have_variables_and_the_tokens_that_are_known_without_a_host()
    {
        Add("sub/one/p", "User me");
        Environment.SetEnvironmentVariable("TRANSFER_TEST_INCLUDE", _folder.Path);
        Assert.That((await LoadAsync("Include ${TRANSFER_TEST_INCLUDE}/sub/*/p")).Resolve("h").User, Is.EqualTo("me"));
        Assert.That((await LoadAsync("Include %d/none/%u %%")).Resolve("h").User, Is.Null);
        foreach (var wrong in new[] { "${TRANSFER_NO_SUCH_VARIABLE}/p", "policy-%h" })
        {
            Assert.That((await Assert.CatchAsync<TransferException>(() => LoadAsync($"Include {wrong}")))!.Message,
                Does.Contain("config:1"));
        }
    }

    [TestCase("'h'", true)]
    [TestCase("\"h\"", true)]
    [TestCase("g 'h' # it's", true)]
    [TestCase("'g h'", false)]
    [TestCase("h#", false)]
    public async Task A_Host_may_be_in_quotes_of_both_kinds(string host, bool applies) =>
        Assert.That((await LoadAsync($"Host {host}\n  User me")).Resolve("h").User, Is.EqualTo(applies ? "me" : null));

    [TestCase(@"a\ b", "a b")]
    [TestCase("\"a 'b\"", "a 'b")]
    [TestCase("'x y'z\"w\"", "x yzw")]
    [TestCase("x\\\"y", "x\"y")]
    [TestCase(@"a\\b", @"a\b")]
    [TestCase(@"a\cb", @"a\cb")]
    [TestCase("ab#c", "ab#c")]
    [TestCase("ab #c", "ab")]
    [TestCase("'a\"b'", "a\"b")]
    [TestCase("\"a\\\"b\"", "a\"b")]
    public async Task Words_are_those_of_OpenSSH(string text, string expected) =>
        Assert.That((await LoadAsync($"User {text}")).Resolve("h").User, Is.EqualTo(expected));

    [Test]
    public async Task A_single_quote_that_is_not_closed_ends_the_reading() =>
        Assert.That((await Assert.CatchAsync<TransferException>(() => LoadAsync("User it's")))!.Message, Does.Contain(":1: a quote"));

    private void Add(string file, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_folder[file])!);
        _folder.AddPrivate(file, text);
    }

    private async Task<SshConfigFile> LoadAsync(string text) => await SshConfigFile.LoadAsync(
        [_folder.AddPrivate("config", text)], Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), _log, default);
}
