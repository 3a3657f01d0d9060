using Transfer.Local;

namespace Transfer.Tests.Local;

public sealed class LocalNamesTests
{
    private static readonly LocalNames Windows = new(windows: true, ignoresCase: true, normalizes: false);
    private static readonly LocalNames Unix = new(windows: false, ignoresCase: false, normalizes: false);
    private static readonly LocalNames Mac = new(windows: false, ignoresCase: true, normalizes: true);

    [TestCase("")]
    [TestCase(".")]
    [TestCase("..")]
    [TestCase("a/b")]
    [TestCase("/")]
    [TestCase("../x")]
    [TestCase("a\0b")]
    public void No_system_takes_what_leads_elsewhere(string name)
    {
        foreach (var rules in new[] { Windows, Unix, Mac }) Assert.That(rules.Refuse(name), Is.Not.Null);
    }

    [TestCase("a\\b")]
    [TestCase("..\\x")]
    [TestCase("C:")]
    [TestCase("C:x")]
    [TestCase("file:stream")]
    [TestCase("a<b")]
    [TestCase("a>b")]
    [TestCase("a\"b")]
    [TestCase("a|b")]
    [TestCase("a?b")]
    [TestCase("a*b")]
    [TestCase("a\u0001b")]
    [TestCase("a\tb")]
    [TestCase("dot.")]
    [TestCase("blank ")]
    [TestCase("...")]
    [TestCase("CON")]
    [TestCase("nul")]
    [TestCase("Aux.txt")]
    [TestCase("NUL .txt")]
    [TestCase("com1.tar.gz")]
    [TestCase("LPT9")]
    [TestCase("COM¹")]
    [TestCase("conin$")]
    public void Windows_refuses_what_unix_takes(string name)
    {
        Assert.That(Windows.Refuse(name), Is.Not.Null);
        Assert.That(Unix.Refuse(name), Is.Null);
    }

    [TestCase("file.txt")]
    [TestCase(".hidden")]
    [TestCase("-dash")]
    [TestCase(" leading blank")]
    [TestCase("it's \"quoted\"")]
    [TestCase("ünïcödé 文件")]
    [TestCase("console")]
    [TestCase("com10")]
    [TestCase("aux-files")]
    public void Ordinary_names_are_taken(string name)
    {
        Assert.That(Unix.Refuse(name), Is.Null);
        if (!name.Contains('"')) Assert.That(Windows.Refuse(name), Is.Null);
    }

    [Test]
    public void Lengths_are_counted_as_the_system_counts_them()
    {
        Assert.That(Unix.Refuse(new string('a', 255)), Is.Null);
        Assert.That(Unix.Refuse(new string('a', 256)), Is.Not.Null);
        Assert.That(Unix.Refuse(new string('ä', 128)), Is.Not.Null, "bytes");
        Assert.That(Windows.Refuse(new string('ä', 255)), Is.Null, "characters");
        Assert.That(Windows.Refuse(new string('ä', 256)), Is.Not.Null);
    }

    [Test]
    public void Names_are_the_same_when_the_system_takes_them_for_the_same()
    {
        const string Composed = "\u00e9";
        const string Decomposed = "e\u0301";
        Assert.That((Unix.Equals("a", "A"), Windows.Equals("a", "A"), Mac.Equals("a", "A")), Is.EqualTo((false, true, true)));
        Assert.That((Unix.Equals(Composed, Decomposed), Mac.Equals(Composed, Decomposed)), Is.EqualTo((false, true)));
        Assert.That(Mac.GetHashCode(Composed.ToUpperInvariant()), Is.EqualTo(Mac.GetHashCode(Decomposed)));
        Assert.That(Mac.Equals("\ud800", "\ud800"), Is.True, "what is not Unicode is compared as it is");
    }
}
