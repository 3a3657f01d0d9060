using Transfer.Cli.Credentials;

namespace Transfer.Cli.Tests;

public sealed class NetrcTests
{
    private const string Sample = """
        # a comment
        machine ftp.example.com login me password "a \"b\" c" account acc
        machine other.example
            login
               you
            password pa\ ss\\word
        macdef init
        machine trap.example login evil password evil
        cd /pub

        machine trap.example login good password #good
        machine ftp.example.com login you password yours
        default login anonymous password guest@
        """;

    [TestCase("ftp.example.com", null, "me", "a \"b\" c", "acc")]
    [TestCase("FTP.Example.Com", null, "me", "a \"b\" c", "acc")]
    [TestCase("ftp.example.com", "you", "you", "yours", null)]
    [TestCase("other.example", null, "you", "pa ss\\word", null)]
    [TestCase("trap.example", null, "good", "#good", null)]
    [TestCase("unknown.example", null, "anonymous", "guest@", null)]
    public void The_entry_for_a_host_is_found(string host, string? user, string login, string password, string? account)
    {
        var entry = Netrc.Find(Netrc.Parse(Sample), host, user)!;
        Assert.That((entry.Login, entry.Password, entry.Account), Is.EqualTo((login, password, account)));
    }

    [TestCase("ftp.example.com", "nobody")]
    [TestCase("unknown.example", "me")]
    public void An_entry_of_another_user_is_none(string host, string user) =>
        Assert.That(Netrc.Find(Netrc.Parse(Sample), host, user), Is.Null);

    [TestCase("machine h\r\nlogin u\r\npassword p\r\n", ExpectedResult = "p")]
    [TestCase("machine h login u password p", ExpectedResult = "p")]
    [TestCase("\t machine\th\n\n\nlogin \"u\"   password 'p'", ExpectedResult = "'p'")]
    [TestCase("machine h login u password \"p\"", ExpectedResult = "p")]
    [TestCase("macdef x\na\nb\n\nmachine h login u password p", ExpectedResult = "p")]
    [TestCase("macdef x\r\na\r\nb\r\n\r\nmachine h login u password p", ExpectedResult = "p")]
    [TestCase("machine h login u # password no\npassword p", ExpectedResult = "p")]
    public string Layout_does_not_matter(string text)
    {
        var entry = Netrc.Find(Netrc.Parse(text), "h", null)!;
        Assert.That(entry.Login, Is.EqualTo("u"));
        return entry.Password!;
    }

    [Test]
    public void A_macro_may_be_the_last_thing_in_the_file() =>
        Assert.That(Netrc.Parse("machine h login u password p macdef x\nmachine trap\nlogin trap"), Has.Count.EqualTo(1));

    [TestCase("machine", "line 1")]
    [TestCase("machine h login", "line 1")]
    [TestCase("machine h\nlogin u\nsecret123", "line 3")]
    [TestCase("secret123 x", "line 1")]
    [TestCase("login u", "line 1")]
    [TestCase("machine h password \"secret123", "line 1")]
    public void What_is_not_understood_is_named_by_its_line_and_never_repeated(string text, string line) =>
        Assert.That(() => Netrc.Parse(text),
            Throws.TypeOf<FormatException>().With.Message.StartsWith(line).And.Message.Not.Contains("secret123"));

    [Test]
    public void Any_text_ends_in_entries_or_a_format_error()
    {
        string[] words = ["machine", "default", "login", "password", "macdef", "account", "\"", "\\", "\n", "\n\n", "#", "x", "\r\n", "\0"];
        var random = new Random(7);
        for (var i = 0; i < 3000; i++)
        {
            var text = string.Join(random.Next(2) == 0 ? " " : string.Empty,
                Enumerable.Range(0, random.Next(12)).Select(_ => words[random.Next(words.Length)]));
            try
            {
                Assert.That(Netrc.Parse(text), Has.All.Not.Null);
            }
            catch (FormatException e)
            {
                Assert.That(e.Message, Does.StartWith("line "), text);
            }
        }
    }
}
