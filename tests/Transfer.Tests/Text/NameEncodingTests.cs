using System.Text;
using System.Text.RegularExpressions;
using FsCheck;
using FsCheck.Fluent;

namespace Transfer.Tests.Text;

public sealed partial class NameEncodingTests
{
    private static readonly Encoding Lossless = NameEncoding.LosslessUtf8;

    [TestCase("", "")]
    [TestCase("61 C3 A4 E2 82 AC F0 9F 8D 80", "a\u00E4\u20AC\U0001F340", TestName = "Well formed UTF-8 of every length decodes as usual")]
    [TestCase("EF BF BD", "\uFFFD", TestName = "A real replacement character is no undecodable byte")]
    [TestCase("EF BB BF 61", "\uFEFFa", TestName = "A byte order mark is part of the name")]
    [TestCase("61 00 62", "a\0b", TestName = "NUL is passed on")]
    [TestCase("E4", "{E4}", TestName = "A Latin-1 byte at the end")]
    [TestCase("E4 62", "{E4}b", TestName = "A Latin-1 byte in the middle")]
    [TestCase("80 BF", "{80}{BF}", TestName = "Continuation bytes without a start")]
    [TestCase("C0 AF", "{C0}{AF}", TestName = "An overlong slash never becomes a slash")]
    [TestCase("E0 80 AF", "{E0}{80}{AF}", TestName = "An overlong slash of three bytes")]
    [TestCase("F0 80 80 AF", "{F0}{80}{80}{AF}", TestName = "An overlong slash of four bytes")]
    [TestCase("ED A0 80", "{ED}{A0}{80}", TestName = "An encoded high surrogate")]
    [TestCase("ED B2 80", "{ED}{B2}{80}", TestName = "An encoded escape surrogate")]
    [TestCase("ED A0 BD ED B8 80", "{ED}{A0}{BD}{ED}{B8}{80}", TestName = "An encoded pair (CESU-8)")]
    [TestCase("F4 90 80 80", "{F4}{90}{80}{80}", TestName = "Above U+10FFFF")]
    [TestCase("FE FF", "{FE}{FF}", TestName = "Bytes UTF-8 never uses")]
    [TestCase("E2 82", "{E2}{82}", TestName = "A sequence cut at the end")]
    [TestCase("E2 82 41", "{E2}{82}A", TestName = "A sequence cut by ASCII")]
    [TestCase("F0 9F 8D F0 9F 8D 80", "{F0}{9F}{8D}\U0001F340", TestName = "A sequence cut by a whole one")]
    public void Bytes_decode_and_come_back(string hex, string notation)
    {
        // Attributes are stored as UTF-8, which has no lone surrogates: {E4} stands for U+DCE4.
        var expected = Escape().Replace(notation, match => ((char)(0xDC00 + Convert.ToInt32(match.Value[1..3], 16))).ToString());
        var bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));

        Assert.That(Lossless.GetString(bytes), Is.EqualTo(expected));
        Assert.That(Lossless.GetString(bytes.AsSpan()), Is.EqualTo(expected));
        Assert.That(Lossless.GetCharCount(bytes), Is.EqualTo(expected.Length));
        Assert.That(Lossless.GetBytes(expected), Is.EqualTo(bytes));
        Assert.That(Lossless.GetByteCount(expected), Is.EqualTo(bytes.Length));
    }

    [Test]
    public void Any_bytes_survive_the_round_trip() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(2000),
            Prop.ForAll(Bytes(), bytes => Lossless.GetBytes(Lossless.GetString(bytes)).SequenceEqual(bytes)));

    [Test]
    public void Well_formed_text_converts_as_the_platform_does() =>
        Check.One(Config.QuickThrowOnFailure, Prop.ForAll<NonNull<string>>(text =>
        {
            var utf8 = Encoding.UTF8.GetBytes(text.Get);
            return Lossless.GetString(utf8) == Encoding.UTF8.GetString(utf8) && Lossless.GetBytes(Encoding.UTF8.GetString(utf8))
                .SequenceEqual(utf8);
        }));

    [Test]
    public void Surrogates_never_become_ascii()
    {
        for (var c = 0xD800; c <= 0xDFFF; c++)
        {
            var bytes = Lossless.GetBytes(((char)c).ToString());
            Assert.That(bytes, Is.Not.Empty.And.All.GreaterThanOrEqualTo(0x80), $"U+{c:X4}");
        }
    }

    [Test]
    public void A_surrogate_that_stands_for_no_byte_is_written_as_generalized_utf8() =>
        Assert.That(Lossless.GetBytes("a\uD83Db\uDC0Ac"), Is.EqualTo(Convert.FromHexString("61EDA0BD62EDB08A63")));

    [Test]
    public void Long_invalid_input_is_counted_and_converted()
    {
        var bytes = Enumerable.Range(0, 5000).Select(i => (byte)(i % 3 == 0 ? 0xFF : 'a')).ToArray();

        var text = Lossless.GetString(bytes);

        Assert.That(text, Has.Length.EqualTo(5000));
        Assert.That(Lossless.GetByteCount(text), Is.EqualTo(5000));
        Assert.That(Lossless.GetBytes(text), Is.EqualTo(bytes));
    }

    [Test]
    public void A_decoder_gives_the_same_text_however_the_bytes_are_split() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(1000), Prop.ForAll(Bytes(), Gen.Choose(1, 5).ToArbitrary(), (bytes, step) =>
        {
            var decoder = Lossless.GetDecoder();
            var text = new StringBuilder();
            var chars = new char[16];
            for (var at = 0; at < bytes.Length; at += step)
            {
                var count = Math.Min(step, bytes.Length - at);
                var expected = decoder.GetCharCount(bytes, at, count, flush: false);
                var written = decoder.GetChars(bytes, at, count, chars, 0, flush: false);
                if (written != expected) return false;
                text.Append(chars, 0, written);
            }

            text.Append(chars, 0, decoder.GetChars([], 0, 0, chars, 0, flush: true));
            return text.ToString() == Lossless.GetString(bytes);
        }));

    [Test]
    public void An_encoder_gives_the_same_bytes_however_the_text_is_split() =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(1000), Prop.ForAll(Surrogates(), Gen.Choose(1, 3).ToArbitrary(), (text, step) =>
        {
            var encoder = Lossless.GetEncoder();
            var all = new List<byte>();
            var bytes = new byte[32];
            for (var at = 0; at < text.Length; at += step)
            {
                var count = Math.Min(step, text.Length - at);
                var expected = encoder.GetByteCount(text, at, count, flush: false);
                var written = encoder.GetBytes(text, at, count, bytes, 0, flush: false);
                if (written != expected) return false;
                all.AddRange(bytes.AsSpan(0, written));
            }

            all.AddRange(bytes.AsSpan(0, encoder.GetBytes([], 0, 0, bytes, 0, flush: true)));
            return all.SequenceEqual(Lossless.GetBytes(text));
        }));

    [Test]
    public void Output_that_is_too_short_is_refused()
    {
        Assert.That(() => Lossless.GetChars([0xFF, 0xFF], new char[1].AsSpan()), Throws.ArgumentException);
        Assert.That(() => Lossless.GetBytes("\uDCFF\uDCFF", new byte[1].AsSpan()), Throws.ArgumentException);
        Assert.That(() => Lossless.GetBytes("\uD83D", new byte[2].AsSpan()), Throws.ArgumentException);
    }

    /// <summary>Bytes that come near to sequences often.</summary>
    private static Arbitrary<byte[]> Bytes() =>
        Gen.Elements<byte>(0x41, 0x2F, 0x00, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF4, 0xF8,
            0xFF).ArrayOf().ToArbitrary();

    private static Arbitrary<char[]> Surrogates() =>
        Gen.Elements('a', '\u00E4', '\u20AC', '\uD800', '\uD83D', '\uDC00', '\uDC80', '\uDCFF', '\uDFFF').ArrayOf().ToArbitrary();

    [GeneratedRegex(@"\{[0-9A-F]{2}\}")]
    private static partial Regex Escape();
}
