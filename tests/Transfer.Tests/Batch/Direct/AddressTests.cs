using Transfer.Batch;

namespace Transfer.Tests.Batch.Direct;

/// <summary>Tokens and addresses as text.</summary>
public sealed class AddressTests
{
    private static readonly BatchToken Token = BatchToken.Create([.. Enumerable.Range(1, 32).Select(i => (byte)i)],
        [.. Enumerable.Range(101, 32).Select(i => (byte)i)]);

    [Test]
    public void A_token_is_this_text_and_read_again()
    {
        const string Text = "AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5_gIGCg4Q";
        Assert.That(Token.ToText(), Is.EqualTo(Text));
        Assert.That(BatchToken.Parse(" " + Text + "\n").ToText(), Is.EqualTo(Text));
    }

    [Test]
    public void Nothing_shows_a_secret_that_was_not_asked_for_it()
    {
        Assert.That(Token.ToString(), Does.Not.Contain("ZWZn"));
        Assert.That(new BatchAddress("h", 1, Token).ToString(), Is.EqualTo("transfer://h:1"));
    }

    [TestCase("")]
    [TestCase("AQ")]
    [TestCase("AgECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5_gIGCg4Q", Description = "version 2")]
    [TestCase("AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5/gIGCg4Q", Description = "base64")]
    [TestCase("AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g ZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5_gIGCg4Q")]
    [TestCase("AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gZWZnaGlqa2xtbm9wcXJzdHV2d3h5ent8fX5_gIGCg4QA")]
    public void What_is_no_token_is_refused_without_being_repeated(string text)
    {
        var error = Assert.Throws<FormatException>(() => BatchToken.Parse(text));
        if (text.Length > 0) Assert.That(error!.Message, Does.Not.Contain(text));
    }

    [TestCase("transfer://example.org:4711#", "example.org", 4711)]
    [TestCase("transfer://example.org#", "example.org", BatchAddress.DefaultPort)]
    [TestCase("transfer://[2001:db8::7]:22/#", "2001:db8::7", 22)]
    [TestCase("transfer://192.0.2.7:1#", "192.0.2.7", 1)]
    public void An_address_has_host_port_and_token(string text, string host, int port)
    {
        var address = BatchAddress.Parse(text + Token.ToText());
        Assert.That((address.Host, address.Port, address.Token.ToText()), Is.EqualTo((host, port, Token.ToText())));
        Assert.That(BatchAddress.Parse(address.ToText()).ToText(), Is.EqualTo(address.ToText()));
        Assert.That(BatchAddress.Parse(text, Token).ToText(), Is.EqualTo(address.ToText()));
    }

    [TestCase("example.org:1")]
    [TestCase("sftp://example.org/")]
    [TestCase("transfer://:1")]
    [TestCase("transfer://h/path")]
    [TestCase("transfer://h?x")]
    [TestCase("transfer://user@h")]
    public void What_is_no_address_is_refused(string text) => Assert.Throws<FormatException>(() => BatchAddress.Parse(text, Token));

    [Test]
    public void One_token_is_wanted()
    {
        Assert.Throws<FormatException>(() => BatchAddress.Parse("transfer://h"));
        Assert.Throws<FormatException>(() => BatchAddress.Parse("transfer://h#" + Token.ToText(), Token));
    }
}
