using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine.Trees;
using Transfer.Local;
using Transfer.Local.Trees;
using Transfer.Names;

namespace Transfer.Tests.Engine;

/// <summary>What becomes of names that a target can't have.</summary>
public sealed class NameCodeTests
{
    private static readonly LocalNames Windows = new(windows: true, ignoresCase: true, normalizes: false);
    private static readonly LocalNames Mac = new(windows: false, ignoresCase: true, normalizes: true);

    [TestCase("a:b", "a%3Ab")]
    [TestCase("<>\"\\|?*", "%3C%3E%22%5C%7C%3F%2A")]
    [TestCase("a\u0001\r\n", "a%01%0D%0A")]
    [TestCase("dot.", "dot%2E")]
    [TestCase("dots..", "dots.%2E")]
    [TestCase("blank ", "blank%20")]
    [TestCase("CON", "%43ON")]
    [TestCase("nul.tar.gz", "%6Eul.tar.gz")]
    [TestCase("AUX.", "%41UX%2E")]
    [TestCase("ünïcödé 文件.txt", "ünïcödé 文件.txt")]
    [TestCase("a%3Ab", "a%253Ab")]
    [TestCase("a%3ab", "a%253ab")]
    [TestCase("caf%C3%A9", "caf%25C3%25A9")]
    [TestCase("%20", "%2520")]
    [TestCase("My%20File%20%282%29.pdf", "My%20File%20%282%29.pdf")]
    [TestCase("100%.txt", "100%.txt")]
    [TestCase("100%:", "100%%3A")]
    [TestCase("%", "%")]
    [TestCase("%4", "%4")]
    public void What_windows_refuses_is_written_as_bytes_and_a_percent_sign_where_it_looks_like_one(string name, string there)
    {
        Assert.That(NameCode.Windows.Encode(name), Is.EqualTo(there));
        Assert.That(NameCode.Windows.Decode(there), Is.EqualTo(name));
        Assert.That(Windows.Refuse(there), Is.Null);
    }

    [TestCase("a\rb\nc", "a%0Db%0Ac")]
    [TestCase("a:b", "a:b")]
    [TestCase("CON.", "CON.")]
    [TestCase("a%3Ab%20", "a%3Ab%20")]
    [TestCase("a%0Ab%41", "a%250Ab%2541")]
    public void For_a_server_that_is_line_ends_only(string name, string there)
    {
        Assert.That(NameCode.Server.Encode(name), Is.EqualTo(there));
        Assert.That(NameCode.Server.Decode(there), Is.EqualTo(name));
    }

    [TestCase("readme", "README", "%72%65%61%64%6D%65")]
    [TestCase("ReadMe", "README", "R%65%61%64M%65")]
    [TestCase("x-É", "x-é", "x-%C3%89")]
    [TestCase("\udcc3a", "\udcc3A", "\udcc3%61")]
    public void Of_names_that_are_taken_for_one_the_letters_that_differ_are_written_so(string name, string first, string there)
    {
        Assert.That(NameCode.Twins.Encode(name, first), Is.EqualTo(there));
        Assert.That(NameCode.Twins.Decode(there), Is.EqualTo(name));
    }

    [Test]
    public void Bytes_that_are_no_text_come_back_as_they_were() =>
        Assert.That(NameCode.Twins.Decode(NameCode.Twins.Encode("\udcc3\ud83d\ude00\udcff", "other")),
            Is.EqualTo("\udcc3\ud83d\ude00\udcff"));

    [Test]
    public async Task No_two_names_become_one_and_each_can_be_told_from_what_became_of_it()
    {
        string[] names = [.. Texts("%413aA:. éÉ", 3), .. Texts("%41aA:", 5), "CON", "con", "Con", "nUl.a", "NUL.A", "%43ON", "..."];
        names = [.. names.Distinct()];

        var there = await MapAsync(Windows, names);

        Assert.That(there.Where(name => Windows.Refuse(name) is not null), Is.Empty);
        Assert.That(there.ToHashSet(Windows), Has.Count.EqualTo(names.Length));
        Assert.That(there.Select(NameCode.Windows.Decode), Is.EqualTo(names));
    }

    [Test]
    public async Task Forms_of_one_letter_are_told_apart_where_the_target_does_not()
    {
        string[] names = ["é1", "e\u03011", "É1", "E\u03011", "other"];
        var there = await MapAsync(Mac, names);
        Assert.That(there.ToHashSet(Mac), Has.Count.EqualTo(names.Length));
        Assert.That(there.Select(NameCode.Twins.Decode), Is.EqualTo(names));
        Assert.That(there, Is.EqualTo(new[] { "%C3%A91", "%65\u03011", "%C3%891", "E\u03011", "other" }));
    }

    private static async Task<IReadOnlyList<string>> MapAsync(LocalNames rules, string[] names)
    {
        var directory = new PlannedDirectory(null, string.Empty);
        var mapper = new NameMapper(new LocalTree("/nowhere", NullLogger.Instance, rules), NameMapping.Target);
        directory.Mapped = await mapper.MapAsync(directory, [.. names.Select(name => new TreeEntry(name, RemoteEntryType.File, 0, 0))],
            default);
        return [.. names.Select(directory.NameThere)];
    }

    private static IEnumerable<string> Texts(string characters, int length) =>
        length == 0 ? []
        : characters.Select(c => c.ToString()).Concat(Texts(characters, length - 1).SelectMany(text => characters.Select(c => text + c)));
}
