using Transfer.Cli.Credentials;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Tests;

[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class LoginResolverTests : IDisposable
{
    private static readonly LoginArguments None = new("--");

    private readonly TempFolder _folder = new();
    private readonly Dictionary<string, string> _environment = new(StringComparer.Ordinal);
    private readonly StringWriter _error = new();
    private readonly List<string> _questions = [];

    public void Dispose()
    {
        _folder.Dispose();
        _error.Dispose();
    }

    [Test]
    public void Without_anything_it_is_anonymous() => Assert.That(Resolve("ftp://h/"), Is.SameAs(Login.Anonymous));

    [Test]
    public void The_urls_own_password_is_used() => AssertLogin(Resolve("ftp://me:pw@h/"), "me", "pw");

    [Test]
    public void An_empty_password_in_the_url_is_one() => AssertLogin(Resolve("ftp://me:@h/"), "me", "");

    [Test]
    public void A_password_file_gives_its_first_line()
    {
        var file = _folder.Add("pw", "from file \r\nsecond\n");
        AssertLogin(Resolve("ftp://me@h/", None with { PasswordFile = file }), "me", "from file ");
    }

    [Test]
    public void A_named_variable_gives_the_password()
    {
        _environment["MINE"] = "from variable";
        AssertLogin(Resolve("ftp://h/", None with { User = "me", PasswordVariable = "MINE" }), "me", "from variable");
    }

    [Test]
    public void Options_come_before_the_variable_that_is_always_read_and_netrc()
    {
        _environment[LoginResolver.DefaultVariable] = "ambient";
        Netrc("machine h login me password stored");
        var file = _folder.Add("pw", "from file");
        AssertLogin(Resolve("ftp://me@h/", None with { PasswordFile = file }), "me", "from file");
    }

    [Test]
    public void The_url_comes_before_the_variable_that_is_always_read()
    {
        _environment[LoginResolver.DefaultVariable] = "ambient";
        AssertLogin(Resolve("ftp://me:own@h/"), "me", "own");
    }

    [Test]
    public void The_variable_that_is_always_read_comes_before_netrc()
    {
        _environment[LoginResolver.DefaultVariable] = "ambient";
        Netrc("machine h login me password stored");
        AssertLogin(Resolve("ftp://me@h/"), "me", "ambient");
    }

    [Test]
    public void The_variable_that_is_always_read_needs_a_user_and_a_single_server()
    {
        _environment[LoginResolver.DefaultVariable] = "ambient";
        Assert.That(Resolve("ftp://h/"), Is.SameAs(Login.Anonymous));
        Assert.That(() => Resolve("ftp://me@h/", ambient: false), Throws.TypeOf<UsageException>());
    }

    [Test]
    public void Netrc_gives_user_password_and_account()
    {
        Netrc("machine h login me password stored account acc");
        var login = Resolve("ftp://h/");
        AssertLogin(login, "me", "stored");
        Assert.That(login.Account, Is.EqualTo("acc"));
    }

    [Test]
    public void The_option_gives_an_account_to_any_log_in()
    {
        var file = _folder.Add("account", "acc\n");
        foreach (var url in (string[])["ftp://me:typed@h/", "ftp://h/"])
            Assert.That(Resolve(url, new LoginArguments("--") { AccountFile = file }).Account, Is.EqualTo("acc"));
    }

    [Test]
    public void The_file_that_netrc_names_is_read_instead()
    {
        Netrc("machine h login wrong password wrong");
        _environment["NETRC"] = _folder.AddPrivate("elsewhere", "machine h login me password stored");
        AssertLogin(Resolve("ftp://h/"), "me", "stored");
    }

    [Test]
    public void A_netrc_that_is_named_and_missing_is_warned_of()
    {
        _environment["NETRC"] = _folder["nowhere"];
        Assert.That(Resolve("ftp://h/"), Is.SameAs(Login.Anonymous));
        Assert.That(_error.ToString(), Does.Contain("NETRC names"));
    }

    [Platform(Exclude = "Win")]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    [TestCase(UnixFileMode.GroupRead)]
    [TestCase(UnixFileMode.OtherRead)]
    [TestCase(UnixFileMode.OtherWrite)]
    public void A_netrc_that_others_can_read_is_ignored_with_a_warning(UnixFileMode others)
    {
        Netrc("machine h login me password stored");
        File.SetUnixFileMode(_folder[".netrc"], UnixFileMode.UserRead | UnixFileMode.UserWrite | others);
        Assert.That(Resolve("ftp://h/"), Is.SameAs(Login.Anonymous));
        Assert.That(_error.ToString(), Does.Contain(".netrc is ignored").And.Contain("chmod 600"));
    }

    [Test]
    public void A_netrc_that_is_not_understood_is_ignored_with_a_warning_that_repeats_none_of_it()
    {
        Netrc("machine h login me passwort s3cr3t");
        Assert.That(Resolve("ftp://h/"), Is.SameAs(Login.Anonymous));
        Assert.That(_error.ToString(), Does.Contain("line 1").And.Not.Contain("s3cr3t"));
    }

    [Test]
    public void A_user_without_a_password_is_asked_for_it()
    {
        AssertLogin(Resolve("ftp://me@h/", answer: "typed"), "me", "typed");
        Assert.That(_questions, Is.EqualTo(new[] { "Password for me at h: " }));
    }

    [Test]
    public void Without_a_terminal_a_missing_password_is_a_usage_error() =>
        Assert.That(() => Resolve("ftp://me@h/"), Throws.TypeOf<UsageException>().With.Message.Contains("--password-file"));

    [TestCase("anonymous")]
    [TestCase("ftp")]
    public void An_anonymous_user_is_not_asked(string user)
    {
        var login = Resolve($"ftp://{user}@h/", answer: "typed");
        AssertLogin(login, user, "anonymous@");
        Assert.That((login.HasSecret, _questions), Is.EqualTo((false, _questions)));
        Assert.That(_questions, Is.Empty);
    }

    [Test]
    public void The_same_user_twice_is_no_contradiction() => AssertLogin(Resolve("ftp://me:pw@h/", None with { User = "me" }), "me", "pw");

    [Test]
    public void Contradictions_are_refused()
    {
        var file = _folder.Add("pw", "pw");
        _environment["MINE"] = "pw";
        Refused("ftp://me@h/", None with { User = "you" }, "different users");
        Refused("ftp://me:pw@h/", None with { PasswordFile = file }, "contradicts");
        Refused("ftp://me:pw@h/", None with { PasswordVariable = "MINE" }, "contradicts");
        Refused("ftp://me@h/", None with { PasswordFile = file, PasswordVariable = "MINE" }, "contradict");
        Refused("ftp://h/", None with { PasswordFile = file }, "needs a user");
        Refused("ftp://me@h/", None with { PasswordVariable = "UNSET" }, "not set");
        Refused("ftp://me@h/", None with { PasswordFile = _folder["nowhere"] }, "cannot be read");
        Refused("ftp://me@h/", None with { PasswordFile = _folder.Add("empty", "\nsecond") }, "empty");
        Refused("ftp://h/", None with { User = "" }, "empty");
    }

    [Test]
    public void A_password_in_the_wrong_field_is_not_repeated()
    {
        LoginArguments[] mistaken = [None with { User = "me:s3cr3t" }, None with { User = "me", PasswordFile = "s3cr3t" },
            None with { User = "me", PasswordVariable = "s3cr3t" }];
        foreach (var arguments in mistaken)
        {
            foreach (var url in new[] { "ftp://h/", "sftp://h/" })
            {
                Assert.That(() => Resolve(url, arguments), Throws.TypeOf<UsageException>().With.Message.Not.Contains("s3cr3t"),
                    $"{arguments.Given[^1]} {url}");
            }
        }

        AssertLogin(Resolve("ftp://me%3Ayou:pw@h/"), "me:you", "pw");
    }

    [Test]
    public void Secrets_with_line_ends_are_refused()
    {
        _environment["MINE"] = "s3cr3t\r\nDELE x";
        Assert.That(
            () => Resolve("ftp://me@h/", None with { PasswordVariable = "MINE" }),
            Throws.TypeOf<UsageException>().With.Message.Not.Contains("s3cr3t"));
        Refused("ftp://h/", None with { User = "me\nDELE x", PasswordVariable = "MINE" }, "refused");
    }

    [Test]
    public void A_login_says_nothing_of_its_secrets() =>
        Assert.That(Resolve("ftp://me:s3cr3t@h/").ToString(), Does.Not.Contain("s3cr3t").And.Not.Contain("me"));

    [Test]
    public void Ssh_logs_in_as_the_local_user_and_asks_for_nothing_in_advance()
    {
        AssertLogin(Resolve("sftp://h/", answer: "typed"), "local", "");
        AssertLogin(Resolve("sftp://me@h/", answer: "typed"), "me", "");
        Assert.That(_questions, Is.Empty);
    }

    [Test]
    public void Ssh_takes_user_and_password_from_where_ftp_does()
    {
        AssertLogin(Resolve("sftp://me:pw@h/"), "me", "pw");
        Netrc("machine h login stranger password stored\ndefault login anonymous password me@h");
        AssertLogin(Resolve("sftp://h/"), "stranger", "stored");
        AssertLogin(Resolve("sftp://me@h/"), "me", "");
        AssertLogin(Resolve("sftp://other/"), "local", "");
        _environment[LoginResolver.DefaultVariable] = "ambient";
        AssertLogin(Resolve("sftp://h/"), "stranger", "ambient");
        AssertLogin(Resolve("sftp://other/"), "local", "ambient");
        AssertLogin(Resolve("sftp://other/", ambient: false), "local", "");
        _environment["MINE"] = "named";
        AssertLogin(Resolve("sftp://other/", None with { PasswordVariable = "MINE" }), "local", "named");
    }

    private static void AssertLogin(Login login, string user, string password) =>
        Assert.That((login.Credential?.UserName, login.Credential?.Password), Is.EqualTo((user, password)));

    private void Refused(string url, LoginArguments arguments, string why) =>
        Assert.That(() => Resolve(url, arguments), Throws.TypeOf<UsageException>().With.Message.Contains(why));

    private void Netrc(string content) => _folder.AddPrivate(".netrc", content);

    private Login Resolve(string url, LoginArguments? arguments = null, bool ambient = true, string? answer = null)
    {
        var host = new CommandHost
        {
            Input = Stream.Null,
            Output = Stream.Null,
            Error = _error,
            Environment = name => _environment.GetValueOrDefault(name),
            HomeDirectory = _folder.Path,
            UserName = "local",
            ReadSecret = answer is null
                ? null
                : (question, _) =>
                {
                    _questions.Add(question);
                    return answer;
                },
        };
        return new LoginResolver(host, new Messages(_error)).Resolve(UrlParser.Parse(url), arguments ?? None, ambient,
            CancellationToken.None);
    }
}
