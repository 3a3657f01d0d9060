using System.Text;
using System.Text.RegularExpressions;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Filters;

namespace Transfer.Tests.Sync;

public sealed class GlobPatternTests
{
    [TestCase("", "", "a.txt", true)]
    [TestCase("*.txt", "", "a.txt", true)]
    [TestCase("*.txt", "", "a.csv", false)]
    [TestCase("*.txt", "a*", "a.txt", false)]
    [TestCase("d/", "", "d/e/a.txt", true)]
    [TestCase("d/", "", "d", false)]
    [TestCase("", "e/", "d/e/a.txt", false)]
    [TestCase("*.txt", "e/", "d/e", false)]
    [TestCase("/a.txt", "", "d/a.txt", false)]
    public void A_filter_takes_a_file_by_its_path_and_by_the_folders_above(string include, string exclude, string path, bool expected)
    {
        var filter = new TransferFilter { Include = Patterns(include), Exclude = Patterns(exclude) };
        Assert.That(filter.TakesFile(path), Is.EqualTo(expected));

        static string[] Patterns(string text) => text.Length == 0 ? [] : [text];
    }

    // Without a slash: names at any depth.
    [TestCase("*.txt", "a.txt", true)]
    [TestCase("*.txt", "d/e/a.txt", true)]
    [TestCase("*.txt", ".txt", true)]
    [TestCase("*.txt", "a.txt.gz", false)]
    [TestCase("a", "a", true)]
    [TestCase("a", "d/a", true)]
    [TestCase("a", "A", false)]
    [TestCase("**", "d/a", true)]
    [TestCase("?", "é", true)]
    [TestCase("?", "😀", true)]
    [TestCase("?", "ab", false)]
    [TestCase("[a-c]x", "d/bx", true)]
    [TestCase("[!a-c]x", "bx", false)]
    [TestCase("[^a-c]x", "dx", true)]
    [TestCase("[]a]", "]", true)]
    [TestCase("[a-]", "-", true)]
    [TestCase("[😀-😃]", "😁", true)]
    [TestCase("[ab", "[ab", true)]
    [TestCase(@"\*", "*", true)]
    [TestCase(@"\*", "a", false)]
    [TestCase(@"[\]]", "]", true)]
    [TestCase(@"a\", @"a\", true)]
    // With one: the whole path.
    [TestCase("/a", "a", true)]
    [TestCase("/a", "d/a", false)]
    [TestCase("d/a", "d/a", true)]
    [TestCase("d/a", "x/d/a", false)]
    [TestCase("d/*", "d/a", true)]
    [TestCase("d/*", "d/e/a", false)]
    [TestCase("d/*/a", "d/a", false)]
    [TestCase("/*", "a", true)]
    [TestCase("/*", "d/a", false)]
    [TestCase("d/**", "d/e/a", true)]
    [TestCase("d/**", "d", false)]
    [TestCase("**/a", "a", true)]
    [TestCase("**/a", "d/e/a", true)]
    [TestCase("**/a", "ba", false)]
    [TestCase("d/**/a", "d/a", true)]
    [TestCase("d/**/a", "d/e/f/a", true)]
    [TestCase("d/**/a", "da", false)]
    [TestCase("/d**a", "d/e/a", true)]
    [TestCase("/d**/a", "dx/e/a", true)]
    [TestCase("/d?a", "d/a", false)]
    [TestCase("/d[!x]a", "d/a", false)]
    public void A_pattern_means_what_it_says(string pattern, string path, bool expected)
    {
        Assert.That(new GlobPattern(pattern).IsMatch(path, isDirectory: false), Is.EqualTo(expected));
    }

    [TestCase("d/", true, false)]
    [TestCase("/d/", true, false)]
    [TestCase("d", true, true)]
    [TestCase("x/d/", false, false)]
    public void A_slash_at_the_end_is_about_folders_only(string pattern, bool directory, bool file)
    {
        var glob = new GlobPattern(pattern);
        Assert.That((glob.IsMatch("d", isDirectory: true), glob.IsMatch("d", isDirectory: false)), Is.EqualTo((directory, file)));
    }

    [Test]
    public void A_slash_alone_and_half_of_a_pair_match_without_failing()
    {
        Assert.That(new GlobPattern("/").IsMatch("a", isDirectory: true), Is.False);
        Assert.That(new GlobPattern("\ud83d*").IsMatch("\ud83d\udc80"[..1] + "x", isDirectory: false), Is.True);
    }

    [Test]
    public void Empty_patterns_and_very_long_ones_are_refused()
    {
        Assert.Throws<ArgumentException>(() => _ = new TransferFilter { Include = [""] });
        Assert.Throws<ArgumentException>(() => _ = new TransferFilter { Exclude = [new string('a', TransferFilter.MaxPattern + 1)] });
    }

    // Tried one after the other, the ways through this are more than there are atoms.
    [Test]
    public void No_pattern_takes_for_ever()
    {
        var pattern = string.Concat(Enumerable.Repeat("**a*", 1000));
        Assert.That(new GlobPattern("/" + pattern + "b").IsMatch(string.Concat(Enumerable.Repeat("aaaa/", 400)), isDirectory: false),
            Is.False);
    }

    [Test]
    public void An_escaped_path_matches_itself_and_nothing_else()
    {
        var paths = Gen.Elements('a', 'b', '*', '?', '[', ']', '!', '\\', '-', '.', 'é').NonEmptyListOf().Select(
            chars => string.Concat(chars)).ToArbitrary();
        Prop.ForAll(paths, paths, (one, other) =>
        {
            var glob = new GlobPattern("/" + string.Concat(one.Select(c => $"\\{c}")));
            return glob.IsMatch(one, isDirectory: false) && glob.IsMatch(other, isDirectory: false) == (one == other);
        }).QuickCheckThrowOnFailure();
    }

    [Test]
    public void A_pattern_agrees_with_its_regular_expression()
    {
        var pieces = Gen.Elements("a", "b", ".", "/", "*", "**", "**/", "?", "[ab]", "[!a]").ListOf()
            .Select(list => "/" + string.Concat(list));
        var names = Gen.Elements("a", "b", ".", "/").ListOf().Select(list => string.Concat(list));
        Prop.ForAll(pieces.ToArbitrary(), names.ToArbitrary(), (pattern, path) =>
        {
            var foldersOnly = pattern.Length > 1 && pattern[^1] == '/';
            var expression = Translate(foldersOnly ? pattern[1..^1] : pattern[1..]);
            var expected = Regex.IsMatch(path, expression, RegexOptions.NonBacktracking | RegexOptions.Singleline);
            return new GlobPattern(pattern).IsMatch(path, isDirectory: true) == expected;
        }).QuickCheckThrowOnFailure();
    }

    private static string Translate(string pattern)
    {
        var text = new StringBuilder(@"\A(?:");
        for (var i = 0; i < pattern.Length;)
        {
            var stars = pattern[i..].TakeWhile(c => c == '*').Count();
            if (stars > 1)
            {
                var folders = (i == 0 || pattern[i - 1] == '/') && pattern.Length > i + stars && pattern[i + stars] == '/';
                text.Append(folders ? "(?:.*/)?" : ".*");
                i += stars + (folders ? 1 : 0);
                continue;
            }
            var set = pattern[i] == '[' ? pattern[i..(pattern.IndexOf(']', i) + 1)] : null;
            text.Append(pattern[i] switch
            {
                '*' => "[^/]*",
                '?' => "[^/]",
                '[' => set == "[ab]" ? "[ab]" : "[^a/]",
                var c =>
                Regex.Escape(c.ToString())
            });
            i += set?.Length ?? 1;
        }
        return text.Append(@")\z").ToString();
    }
}
