using System.Globalization;
using System.Text;
using System.Xml.Linq;

namespace Transfer.Wan.Reports.Charts;

/// <summary>
/// An SVG picture that reads on white and on dark: it has a ground of its own, and all colours follow <c>prefers-color-scheme</c>.
/// </summary>
internal sealed class SvgCanvas
{
    private static readonly XNamespace Svg = "http://www.w3.org/2000/svg";

    private readonly XElement _root;

    public SvgCanvas(double width, double height, string title, string description)
    {
        _root = new XElement(
            Svg + "svg",
            new XAttribute("viewBox", $"0 0 {Number(width)} {Number(height)}"),
            new XAttribute("width", Number(width)),
            new XAttribute("height", Number(height)),
            new XAttribute("role", "img"),
            new XAttribute("aria-labelledby", "title desc"),
            new XElement(Svg + "title", new XAttribute("id", "title"), title),
            new XElement(Svg + "desc", new XAttribute("id", "desc"), description),
            new XElement(Svg + "style", Style()));
        Add("rect", "ground", ("width", width), ("height", height), ("rx", 6));
        Write(16, 24, title, "title");
    }

    /// <summary>About as wide as a text is, in the font and size of the labels.</summary>
    public static double WidthOf(string text) => text.Length * 6.7;

    public void Line(double x1, double y1, double x2, double y2, string css) =>
        Add("line", css, ("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2));

    public XElement Rectangle(double x, double y, double width, double height, string css) =>
        Add("rect", css, ("x", x), ("y", y), ("width", width), ("height", height));

    public void Path(IEnumerable<(double X, double Y)> points, string css)
    {
        var line = Add("polyline", css);
        line.SetAttributeValue("points", string.Join(' ', points.Select(point => $"{Number(point.X)},{Number(point.Y)}")));
    }

    /// <summary>A mark of a series: disc, square, triangle, diamond, in turn, then the same hollow.</summary>
    public void Mark(double x, double y, int shape, string css, string hint)
    {
        const double R = 4.2;
        var name = shape / 4 % 2 == 1 ? css + " hollow" : css;
        var mark = (shape % 4) switch
        {
            0 => Add("circle", name, ("cx", x), ("cy", y), ("r", R)),
            1 => Rectangle(x - R, y - R, 2 * R, 2 * R, name),
            2 => Polygon(name, (x, y - R - 1), (x + R + 1, y + R), (x - R - 1, y + R)),
            _ => Polygon(name, (x, y - R - 1), (x + R + 1, y), (x, y + R + 1), (x - R - 1, y)),
        };
        Hint(mark, hint);
    }

    public void Write(double x, double y, string text, string css = "", string anchor = "start", double rotation = 0)
    {
        var element = Add("text", css, ("x", x), ("y", y));
        if (anchor != "start") element.SetAttributeValue("text-anchor", anchor);
        if (rotation != 0) element.SetAttributeValue("transform", $"rotate({Number(rotation)} {Number(x)} {Number(y)})");
        element.Value = text;
    }

    /// <summary>What a pointer over the element shows.</summary>
    public static void Hint(XElement element, string hint) => element.Add(new XElement(Svg + "title", hint));

    public override string ToString() => _root + "\n";

    private static string Number(double value) => Math.Round(value, 2).ToString(CultureInfo.InvariantCulture);

    private static string Style()
    {
        var style = new StringBuilder(
            """

            text { font: 12px system-ui, sans-serif; fill: #24292f }
            .title { font-size: 15px; font-weight: 600 }
            .small { font-size: 11px; fill: #57606a }
            .ground { fill: #ffffff }
            .grid { stroke: #d8dee4; stroke-width: 1 }
            .axis { stroke: #57606a; stroke-width: 1 }
            .span { stroke: #24292f; stroke-width: 1.5 }
            polyline { fill: none; stroke-width: 1.6 }
            polyline.ours { stroke-width: 3.2 }
            text.ours { font-weight: 600 }
            .peer { opacity: .75 }

            """);
        AppendColours(style, colour => colour.OnWhite, string.Empty, "#ffffff");
        style.Append(
            """
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3 }
              .small { fill: #9ea7b3 }
              .ground { fill: #0d1117 }
              .grid { stroke: #30363d }
              .axis { stroke: #9ea7b3 }
              .span { stroke: #e6edf3 }

            """);
        AppendColours(style, colour => colour.OnDark, "  ", "#0d1117");
        return style.Append("}\n").ToString();
    }

    private static void AppendColours(StringBuilder style, Func<(string OnWhite, string OnDark), string> choose, string indent,
        string ground)
    {
        foreach (var (index, pair) in Palette.Colours.Index())
        {
            var (name, colour) = (Palette.ClassOf(index), choose(pair));
            style.Append(CultureInfo.InvariantCulture,
                $"{indent}.{name} {{ stroke: {colour}; fill: {colour} }} polyline.{name} {{ fill: none }} text.{name} {{ stroke: none "
                + $"}}\n");
        }

        style.Append(CultureInfo.InvariantCulture, $"{indent}.hollow {{ fill: {ground} }}\n");
    }

    private XElement Polygon(string css, params (double X, double Y)[] points)
    {
        var polygon = Add("polygon", css);
        polygon.SetAttributeValue("points", string.Join(' ', points.Select(point => $"{Number(point.X)},{Number(point.Y)}")));
        return polygon;
    }

    private XElement Add(string name, string css, params (string Name, double Value)[] attributes)
    {
        var element = new XElement(Svg + name, attributes.Select(attribute => new XAttribute(attribute.Name, Number(attribute.Value))));
        if (css.Length > 0) element.SetAttributeValue("class", css);
        _root.Add(element);
        return element;
    }
}
