using Transfer.Local;

namespace Transfer.Tests.Local;

/// <summary>Names that are no text, for people and programs.</summary>
public sealed class NameBytesTests
{
    // In Latin-1: a character a byte.
    [TestCase("plain", "plain", true)]
    [TestCase("caf\xC3\xA9 \xF0\x9F\x98\x80", "caf\u00e9 \U0001F600", true)]
    [TestCase("caf\xE9.txt", "caf\\xe9.txt", false)]
    [TestCase("\xFF", "\\xff", false)]
    [TestCase("\xF0\x9F\x98\x80\x80", "\U0001F600\\x80", false)]
    public void A_name_has_a_printable_form_and_its_bytes_where_that_is_not_all(string bytes, string printable, bool isText)
    {
        var name = ByteTree.PathOf(bytes);
        Assert.That((LocalPath.TextOf(name), NameBytes.AreText(name)), Is.EqualTo((printable, isText)));
        Assert.That(LocalPath.BytesOf(name), Is.EqualTo(isText ? null : System.Text.Encoding.Latin1.GetBytes(bytes)));
    }

    [Test]
    public void Half_a_character_of_UTF16_is_no_text_either() =>
        Assert.That((NameBytes.AreText("a\uD800"), LocalPath.TextOf("a\uD800")), Is.EqualTo((false, "a\uFFFD")));

    [Test]
    public void Arguments_are_taken_as_the_system_has_them_where_they_are_the_same()
    {
        var all = ProcessArguments.Split(System.Text.Encoding.Latin1.GetBytes("transfer\0put\0\xFF.txt\0\xE9\0"));
        Assert.That(ProcessArguments.Exact(["put", "\uFFFD.txt", "\uFFFD"], all), Is.EqualTo(new[] { "put", "\uDCFF.txt", "\uDCE9" }));
        Assert.That(ProcessArguments.Exact(["get", "\uFFFD.txt", "\uFFFD"], all), Is.EqualTo(new[] { "get", "\uFFFD.txt", "\uFFFD" }));
        Assert.That(ProcessArguments.Exact(["put", "\uFFFD"], []), Is.EqualTo(new[] { "put", "\uFFFD" }));
        Assert.That(LocalPath.ExactArguments(["a", "b"]), Is.EqualTo(new[] { "a", "b" }));
    }
}
