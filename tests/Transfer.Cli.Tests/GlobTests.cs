using FsCheck;
using FsCheck.Fluent;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Tests;

public sealed class GlobTests
{
    [TestCase("*", "a.txt", true)]
    [TestCase("*", "", true)]
    [TestCase("*", ".hidden", false)]
    [TestCase(".*", ".hidden", true)]
    [TestCase("?hidden", ".hidden", false)]
    [TestCase("[.]hidden", ".hidden", false)]
    [TestCase("*.txt", "a.txt", true)]
    [TestCase("*.txt", "a.TXT", false)]
    [TestCase("*.txt", "a.txt.bak", false)]
    [TestCase("a?c", "abc", true)]
    [TestCase("a?c", "ac", false)]
    [TestCase("a*b*c", "axxbyyc", true)]
    [TestCase("a*b*c", "axxbyy", false)]
    [TestCase("[abc]x", "bx", true)]
    [TestCase("[a-c]x", "dx", false)]
    [TestCase("[!a-c]x", "dx", true)]
    [TestCase("[^a-c]x", "ax", false)]
    [TestCase("[]]x", "]x", true)]
    [TestCase("[a-]x", "-x", true)]
    [TestCase("*[0-9]", "log7", true)]
    [TestCase("a[b*", "a[bcd", true)]
    [TestCase("100\\*", "100*", true)]
    [TestCase("100\\*", "1000", false)]
    public void A_pattern_matches_as_in_a_shell(string pattern, string name, bool matches) =>
        Assert.That(new Glob(pattern).IsMatch(name), Is.EqualTo(matches));

    [TestCase("a.txt")]
    [TestCase("a%2A.txt")]
    [TestCase("a[b")]
    [TestCase("a]b[")]
    [TestCase("")]
    public void A_plain_name_is_no_pattern(string raw) => Assert.That(Glob.FromUrl(raw), Is.Null);

    [TestCase("%2A*", "*abc", true)]
    [TestCase("%2A*", "abc", false)]
    [TestCase("*\\b", "a\\b", true)]
    [TestCase("*%C3%A4", "xä", true)]
    [TestCase("*%5Ba%5D", "x[a]", true)]
    [TestCase("*%5Ba%5D", "xa", false)]
    [TestCase("[a%2Dc]x*", "bx", false)]
    [TestCase("[a%2Dc]x*", "-x", true)]
    public void What_is_percent_encoded_is_literal(string raw, string name, bool matches) =>
        Assert.That(Glob.FromUrl(raw)!.IsMatch(name), Is.EqualTo(matches));

    [Test]
    public void A_hostile_pattern_ends_soon()
    {
        var pattern = new Glob(string.Concat(Enumerable.Repeat("a*", 60)) + "b");
        Assert.That(pattern.IsMatch(new string('a', 5000)), Is.False);
    }

    [Test]
    public void Escaped_any_name_matches_itself_and_nothing_longer() => Prop.ForAll<NonEmptyString>(text =>
    {
        var name = text.Get;
        var pattern = new Glob(string.Concat(name.Select(c => "\\" + c)));
        return pattern.IsMatch(name) && !pattern.IsMatch(name + "x");
    }).QuickCheckThrowOnFailure();
}
