using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Transfer.CmdletHelp;

/// <summary>What the compiler's documentation says of types and properties, as plain text.</summary>
internal sealed partial class Documentation(string path)
{
    private readonly Dictionary<string, string> _texts = XDocument.Load(path).Descendants("member")
        .Where(member => member.Element("summary") is not null)
        .ToDictionary(member => member.Attribute("name")!.Value, member => Plain(member.Element("summary")!));

    /// <exception cref="InvalidDataException">There is none.</exception>
    public string Of(Type type) => Find($"T:{type.FullName}");

    /// <exception cref="InvalidDataException">There is none.</exception>
    public string Of(PropertyInfo property) => Find($"P:{property.DeclaringType!.FullName}.{property.Name}");

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space { get; }

    private static string Plain(XElement summary) => Space.Replace(string.Concat(summary.DescendantNodes().Select(node => node switch
    {
        XText text => text.Value,
        XElement element when element.Attribute("cref") is { } reference => reference.Value[(reference.Value.LastIndexOf('.') + 1)..],
        XElement element when element.Attribute("langword") is { } word => word.Value,
        _ => string.Empty,
    })), " ").Trim();

    private string Find(string name) =>
        _texts.TryGetValue(name, out var text) ? text : throw new InvalidDataException($"{name} is not documented.");
}
