using System.Globalization;
using System.Xml.Linq;
using FsCheck;
using FsCheck.Fluent;
using Transfer.Wan.Reports.Charts;
using Transfer.Wan.Reports.Data;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Tests.Reports;

internal sealed class ChartTests
{
    [Test]
    public void A_logarithmic_axis_ends_at_1_2_or_5_of_a_decade()
    {
        var scale = LogScale.Around([0.7, 63], 0, 100);
        Assert.That((scale.Minimum, scale.Maximum), Is.EqualTo((0.5, 100.0)));
        Assert.That(scale.Ticks, Is.EqualTo(new[] { 0.5, 1, 2, 5, 10, 20, 50, 100 }));
        Assert.That((scale.Place(0.5), scale.Place(100)), Is.EqualTo((0.0, 100.0)));
        Assert.That(scale.Place(10) - scale.Place(1), Is.EqualTo(scale.Place(50) - scale.Place(5)).Within(1e-9));
    }

    [Test]
    public void Many_decades_have_a_tick_each() =>
        Assert.That(LogScale.Around([0.001, 10_000], 0, 1).Ticks, Is.EqualTo(new[] { 0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000 }));

    [Test]
    public void One_value_has_an_axis_around_it()
    {
        var scale = LogScale.Around([2], 0, 10);
        Assert.That((scale.Minimum, scale.Maximum), Is.EqualTo((1.0, 5.0)));
        Assert.That(scale.Place(2), Is.InRange(0.1, 9.9));
    }

    [TestCase(0)]
    [TestCase(-1)]
    [TestCase(double.NaN)]
    [TestCase(double.PositiveInfinity)]
    public void What_has_no_place_on_a_logarithmic_axis_is_refused(double value) =>
        Assert.That(() => LogScale.Around([1, value], 0, 1), Throws.InstanceOf<ArgumentOutOfRangeException>());

    [Test]
    public void An_axis_needs_a_value() => Assert.That(() => LogScale.Around([], 0, 1), Throws.ArgumentException);

    [Test]
    public void Every_value_lies_on_its_axis() =>
        Prop.ForAll<NonEmptyArray<PositiveInt>, PositiveInt>((values, unit) =>
        {
            double[] all = [.. values.Get.Select(value => value.Get / (double)unit.Get)];
            var scale = LogScale.Around(all, 10, 20);
            return scale.Ticks.Count > 0 && scale.Minimum < scale.Maximum
                && all.All(value => scale.Place(value) is >= 10 - 1e-6 and <= 20 + 1e-6);
        }).QuickCheckThrowOnFailure();

    [Test]
    public void A_line_chart_is_well_formed_and_its_points_are_where_they_belong()
    {
        var svg = XDocument.Parse(LineChart.Draw("MB/s <down> & up", "desc", "ms", "MB/s", [
            new ChartSeries("transfer", true, [(1, 100), (10, 10), (100, 1)]),
            new ChartSeries("scp", false, [(1, 50), (100, 2)])]));
        Assert.That(svg.Root!.Elements().First(element => element.Name.LocalName == "title").Value, Is.EqualTo("MB/s <down> & up"));
        Assert.That(svg.Root.Elements().Single(element => element.Name.LocalName == "desc").Value, Is.EqualTo("desc"));
        var ours = Points(svg.Descendants().Single(element => element.Name.LocalName == "polyline" && Class(element).Contains("ours")));
        Assert.That(ours[1].X - ours[0].X, Is.EqualTo(ours[2].X - ours[1].X).Within(0.02));
        Assert.That(ours[1].Y - ours[0].Y, Is.EqualTo(ours[2].Y - ours[1].Y).Within(0.02).And.GreaterThan(0));
        var scp = Points(svg.Descendants().Single(element => element.Name.LocalName == "polyline" && !Class(element).Contains("ours")));
        Assert.That((scp[0].X, scp[1].X), Is.EqualTo((ours[0].X, ours[2].X)));
        Assert.That(scp[0].Y, Is.GreaterThan(ours[0].Y).And.LessThan(ours[1].Y));
        Assert.That(Texts(svg), Is.SupersetOf(new[] { "1", "10", "100", "transfer", "scp", "ms", "MB/s" }));
        Assert.That(svg.Descendants().Where(element => element.Name.LocalName == "title").Select(element => element.Value),
            Does.Contain("transfer, 10: 10.0 MB/s"));
    }

    [Test]
    public void Names_at_the_ends_of_lines_do_not_lie_on_each_other()
    {
        var svg = XDocument.Parse(LineChart.Draw("t", "d", "x", "y",
            [.. Enumerable.Range(0, 12).Select(i => new ChartSeries($"client {i}", i == 0, [(1, 5), (2, 1 + (i / 1000.0))]))]));
        var places = svg.Descendants().Where(element =>
            element.Name.LocalName == "text" && element.Value.StartsWith("client", StringComparison.Ordinal)).Select(
            element => Number(element, "y")).Order().ToList();
        Assert.That(places, Has.Count.EqualTo(12));
        Assert.That(places.Zip(places.Skip(1), (a, b) => b - a), Is.All.GreaterThanOrEqualTo(14.9));
        Assert.That(places[0], Is.GreaterThan(30));
        Assert.That(places[^1], Is.LessThan(480));
    }

    [Test]
    public void Charts_read_on_white_and_on_dark()
    {
        var style = XDocument.Parse(BarChart.Draw("t", "d", [new Bar("a", true, new Summary(1, 1, 1, 1))],
            Format.Seconds)).Descendants().Single(element => element.Name.LocalName == "style").Value;
        Assert.That(style, Does.Contain("@media (prefers-color-scheme: dark)"));
        Assert.That(style.Count(letter => letter == '{'), Is.EqualTo(style.Count(letter => letter == '}')));
        Assert.That(Palette.Colours.Select(colour => Contrast(colour.OnWhite, "#ffffff")), Is.All.GreaterThan(3));
        Assert.That(Palette.Colours.Select(colour => Contrast(colour.OnDark, "#0d1117")), Is.All.GreaterThan(3));
    }

    [Test]
    public void Bars_are_as_long_as_their_figures_say()
    {
        var svg = XDocument.Parse(BarChart.Draw("t", "d", [
            new Bar("long", false, new Summary(10, 8, 20, 3), "extrapolated"), new Bar("short", true, new Summary(5, 5, 5, 3)),
            new Bar("none", false, null)], Format.Seconds));
        var bars = svg.Root!.Elements().Where(element => element.Name.LocalName == "rect" && Class(element) != "ground").Select(
            element => Number(element, "width")).ToList();
        Assert.That(bars, Has.Count.EqualTo(2));
        Assert.That(bars[0], Is.EqualTo(2 * bars[1]).Within(0.02));
        var span = svg.Root.Elements().Single(element => Class(element) == "span");
        Assert.That(Number(span, "x2") - Number(span, "x1"), Is.EqualTo(bars[0] * 1.2).Within(0.02));
        Assert.That(Texts(svg), Is.SupersetOf(new[] { "10.0 s (extrapolated)", "5.00 s", "failed" }));
    }

    [Test]
    public void A_chart_of_failures_only_is_drawn() =>
        Assert.That(() => XDocument.Parse(BarChart.Draw("t", "d", [new Bar("none", false, null)], Format.Seconds)), Throws.Nothing);

    private static string Class(XElement element) => (string?)element.Attribute("class") ?? string.Empty;

    private static double Number(XElement element, string name) =>
        double.Parse(element.Attribute(name)!.Value, CultureInfo.InvariantCulture);

    private static List<string> Texts(XDocument svg) =>
        [.. svg.Descendants().Where(element => element.Name.LocalName == "text").Select(element => element.Value)];

    private static List<(double X, double Y)> Points(XElement line) =>
        [.. line.Attribute("points")!.Value.Split(' ').Select(point => point.Split(',')).Select(
            pair => (double.Parse(pair[0], CultureInfo.InvariantCulture), double.Parse(pair[1], CultureInfo.InvariantCulture)))];

    // WCAG 2, relative luminance and contrast.
    private static double Contrast(string a, string b)
    {
        var (light, dark) = (Math.Max(Luminance(a), Luminance(b)), Math.Min(Luminance(a), Luminance(b)));
        return (light + 0.05) / (dark + 0.05);
    }

    private static double Luminance(string colour)
    {
        var channels = Convert.FromHexString(colour[1..]).Select(value => value / 255.0).Select(
            value => value <= 0.04045 ? value / 12.92 : Math.Pow((value + 0.055) / 1.055, 2.4)).ToArray();
        return (0.2126 * channels[0]) + (0.7152 * channels[1]) + (0.0722 * channels[2]);
    }
}
