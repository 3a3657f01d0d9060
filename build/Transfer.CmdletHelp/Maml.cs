using System.Globalization;
using System.Management.Automation;
using System.Reflection;
using System.Xml.Linq;

namespace Transfer.CmdletHelp;

/// <summary>Writes help as PowerShell reads it: MAML, whose schema comes with PowerShell's source.</summary>
internal static class Maml
{
    private static readonly XNamespace Text = "http://schemas.microsoft.com/maml/2004/10";
    private static readonly XNamespace Command = "http://schemas.microsoft.com/maml/dev/command/2004/10";
    private static readonly XNamespace Code = "http://schemas.microsoft.com/maml/dev/2004/10";

    /// <summary>Writes the help of cmdlets into a file.</summary>
    public static void Write(string path, IEnumerable<CmdletPage> pages) =>
        new XDocument(new XElement(
            XNamespace.Get("http://msh") + "helpItems",
            new XAttribute("schema", "maml"),
            pages.Select(Element))).Save(path);

    private static XElement Element(CmdletPage page)
    {
        var (cmdlet, documentation, examples) = page;
        var summary = documentation.Of(cmdlet.Type);
        return new XElement(
            Command + "command",
            new XAttribute(XNamespace.Xmlns + "maml", Text),
            new XAttribute(XNamespace.Xmlns + "command", Command),
            new XAttribute(XNamespace.Xmlns + "dev", Code),
            new XElement(
                Command + "details",
                new XElement(Command + "name", cmdlet.Name),
                new XElement(Command + "verb", cmdlet.Attribute.VerbName),
                new XElement(Command + "noun", cmdlet.Attribute.NounName),
                Described(summary)),
            Described([summary, .. examples.Description]),
            new XElement(Command + "syntax", Sets(cmdlet).Select(set => Syntax(cmdlet, set, documentation))),
            new XElement(Command + "parameters", cmdlet.Parameters.Select(parameter => Parameter(parameter, null, documentation)),
                Common(cmdlet)),
            new XElement(Command + "returnValues",
                cmdlet.Outputs.Select(
                    type => new XElement(Command + "returnValue",
                        new XElement(Code + "type", new XElement(Text + "name", type.FullName))))),
            new XElement(Command + "examples", examples.Examples.Select((example, i) => new XElement(
                Command + "example",
                new XElement(Text + "title", string.Create(CultureInfo.InvariantCulture, $"Example {i + 1}: {example.Title}")),
                new XElement(Code + "code", example.Code),
                new XElement(Code + "remarks", new XElement(Text + "para", example.Remarks))))));
    }

    private static string?[] Sets(CmdletType cmdlet)
    {
        string[] named = [
            .. cmdlet.Parameters.SelectMany(Attributes).Select(attribute => attribute.ParameterSetName).Where(
                name => name != ParameterAttribute.AllParameterSets).Distinct()];
        return named.Length == 0 ? new string?[] { null } : named;
    }

    private static XElement Syntax(CmdletType cmdlet, string? set, Documentation documentation) => new(
        Command + "syntaxItem",
        new XElement(Text + "name", cmdlet.Name),
        cmdlet.Parameters.Where(parameter => Attribute(parameter, set) is not null)
            .OrderBy(parameter => Attribute(parameter, set)!.Position is >= 0 and var position ? position : int.MaxValue)
            .Select(parameter => Parameter(parameter, set, documentation)),
        Common(cmdlet));

    // PowerShell adds these by itself where a cmdlet asks before it changes something.
    private static IEnumerable<XElement> Common(CmdletType cmdlet) => !cmdlet.Attribute.SupportsShouldProcess ? [] :
    [
        Switch("WhatIf", "wi", "Says what would be done, and does nothing."),
        Switch("Confirm", "cf", "Asks before something is done."),
    ];

    private static XElement Switch(string name, string alias, string description) => new(
        Command + "parameter",
        new XAttribute("required", false),
        new XAttribute("globbing", false),
        new XAttribute("pipelineInput", "False"),
        new XAttribute("position", "named"),
        new XAttribute("aliases", alias),
        new XElement(Text + "name", name),
        Described(description));

    private static XElement Parameter(PropertyInfo parameter, string? set, Documentation documentation)
    {
        var attribute = Attribute(parameter, set) ?? Attributes(parameter).First();
        var type = Nullable.GetUnderlyingType(parameter.PropertyType) ?? parameter.PropertyType;
        return new(
            Command + "parameter",
            new XAttribute("required", attribute.Mandatory),
            new XAttribute("globbing", parameter.IsDefined(typeof(SupportsWildcardsAttribute))),
            new XAttribute("pipelineInput", (attribute.ValueFromPipeline, attribute.ValueFromPipelineByPropertyName) switch
            {
                (true, true) => "True (ByValue, ByPropertyName)",
                (true, false) => "True (ByValue)",
                (false, true) => "True (ByPropertyName)",
                _ => "False",
            }),
            new XAttribute("position", attribute.Position >= 0 ? attribute.Position.ToString(CultureInfo.InvariantCulture) : "named"),
            new XAttribute("aliases", string.Join(", ", parameter.GetCustomAttribute<AliasAttribute>()?.AliasNames ?? [])),
            new XElement(Text + "name", parameter.Name),
            Described(documentation.Of(parameter)),
            type == typeof(SwitchParameter) ? null : new XElement(Command + "parameterValue", new XAttribute("required", true), type.Name),
            type.IsEnum && set is not null
            ? new XElement(Command + "parameterValueGroup",
                Enum.GetNames(type).Select(name => new XElement(Command + "parameterValue", new XAttribute("required", false), name)))
                : null);
    }

    private static IEnumerable<ParameterAttribute> Attributes(PropertyInfo parameter) =>
        parameter.GetCustomAttributes<ParameterAttribute>();

    private static ParameterAttribute? Attribute(PropertyInfo parameter, string? set) =>
        Attributes(parameter).FirstOrDefault(
            attribute =>
            set is null || attribute.ParameterSetName == set || attribute.ParameterSetName == ParameterAttribute.AllParameterSets);

    private static XElement Described(params IEnumerable<string> paragraphs) =>
        new(Text + "description", paragraphs.Select(text => new XElement(Text + "para", text)));
}
