using System.CommandLine;

namespace Transfer.Cli.Profiles;

/// <summary>An option with its value and the place that is from.</summary>
/// <param name="Option">The option.</param>
/// <param name="Values">The values: one, or several of an option that may be repeated; <c>true</c> or <c>false</c> of a switch.</param>
/// <param name="Layer">The kind of place.</param>
/// <param name="Source">The place, for messages.</param>
internal sealed record OptionValue(Option Option, IReadOnlyList<string> Values, OptionLayer Layer, string Source)
{
    public string Key { get; } = OptionRules.KeyOf(Option);

    /// <summary>A switch that is off, which is the same as none.</summary>
    public bool IsOff => Option is Option<bool> && Values[0] == "false";

    /// <summary>The words of a command line that say the same.</summary>
    public IEnumerable<string> Words =>
        Option is Option<bool> ? [Option.Name] : Values.Select(value => $"{Option.Name}={value}");

    public override string ToString() => Option.Name;
}
