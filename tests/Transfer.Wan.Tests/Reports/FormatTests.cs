using System.Globalization;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Tests.Reports;

internal sealed class FormatTests
{
    [TestCase(0.0834, "0.08 s")]
    [TestCase(2.16, "2.16 s")]
    [TestCase(12.34, "12.3 s")]
    [TestCase(99.96, "100 s")]
    [TestCase(122.4, "122 s")]
    [TestCase(599.6, "600 s")]
    [TestCase(600, "10 min 0 s")]
    [TestCase(2309, "38 min 29 s")]
    public void Seconds_have_three_digits_that_count(double seconds, string text) => Assert.That(Format.Seconds(seconds), Is.EqualTo(text));

    [TestCase(10_240, "10 KB")]
    [TestCase(10_000, "10 KB")]
    [TestCase(500_000, "500 KB")]
    [TestCase(512_000, "500 KB")]
    [TestCase(1024 * 1024, "1 MiB")]
    [TestCase(80 * 1024 * 1024, "80 MiB")]
    [TestCase(80_000_000, "80 MB")]
    [TestCase(5_891.5, "5.9 KB")]
    [TestCase(100, "100 bytes")]
    public void Sizes_are_as_people_say_them(double bytes, string text) => Assert.That(Format.Size(bytes), Is.EqualTo(text));

    [Test]
    [SetCulture("de-DE")]
    public void Figures_are_the_same_in_every_culture()
    {
        Assume.That(1.5.ToString("0.0", CultureInfo.CurrentCulture), Is.EqualTo("1,5"));
        Assert.That(
            new[] { Format.Seconds(1.5), Format.Ratio(2.25), Format.Percent(0.002), Format.Milliseconds(0.5), Format.Rate(1000),
                Format.Rate(100), Format.Count(10_000), Format.Files(1), Format.Files(100_000) },
            Is.EqualTo(new[] { "1.50 s", "2.25x", "0.2 %", "0.5 ms", "1 Gbit/s", "100 Mbit/s", "10,000", "1 file", "100,000 files" }));
    }

    [Test]
    public void A_range_of_figures_that_read_the_same_is_one() =>
        Assert.That((Format.Range(1.001, 1.002, Format.Seconds), Format.Range(1, 2, Format.Seconds)),
            Is.EqualTo(("1.00 s", "1.00 s to 2.00 s")));

    [Test]
    public void A_table_is_aligned_in_the_raw()
    {
        var table = new MarkdownTable("client", ">time").Add("`a|b`", "1.00 s").Add("c\nd", "12 s");
        Assert.That(table.ToString(), Is.EqualTo(
            """
            | client |   time |
            |--------|-------:|
            | `a\|b` | 1.00 s |
            | c d    |   12 s |

            """));
        Assert.That(() => table.Add("one"), Throws.ArgumentException);
    }

    [Test]
    public void Words_are_listed()
    {
        Assert.That(new[] { Sentences.List([]), Sentences.List(["a"]), Sentences.List(["a", "b"]), Sentences.List(["a", "b", "c"]) },
            Is.EqualTo(new[] { "", "a", "a and b", "a, b and c" }));
        Assert.That((Sentences.Capital("up"), Sentences.Capital("")), Is.EqualTo(("Up", "")));
    }
}
