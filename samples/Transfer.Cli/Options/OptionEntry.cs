using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>An option as shells and manuals show it.</summary>
/// <param name="Names">All its names, the short ones first.</param>
/// <param name="Value">The name of its value, <c>FILE</c> or <c>fail|skip</c>; null: it takes none.</param>
/// <param name="Description">What it does, in sentences.</param>
internal sealed record OptionEntry(IReadOnlyList<string> Names, string? Value, string Description)
{
    private static readonly string[] Placeholders = ["N", "S", "DIR", "FILE", "GLOB", "SIZE", "RATE"];

    /// <summary>The values that can be typed, where they are few.</summary>
    public IReadOnlyList<string> Choices { get; } = Value is null || !Value.Contains('|', StringComparison.Ordinal) ? []
        : [.. Value.Split('|').Where(choice => !Placeholders.Contains(choice) && !choice.Any(char.IsAsciiLetterUpper))];

    /// <summary>The values of <see cref="Choices"/> are all that there are.</summary>
    public bool IsChoice => Value is not null && Choices.Count == Value.Split('|').Length;

    /// <summary>The value names something on this machine's disk.</summary>
    public bool IsFile { get; } = Value is not null && Value.Split('|').Any(value => value is "FILE" or "DIR" or "KEY");

    /// <summary>The first sentence: a line in a menu.</summary>
    public string Summary => Description.Split(". ")[0].TrimEnd('.');

    /// <summary>The value without the option, as the description says; null: there is none.</summary>
    public string? Default
    {
        get
        {
            const string Mark = "Default: ";
            var start = Description.IndexOf(Mark, StringComparison.Ordinal);
            if (start < 0) return null;
            var rest = Description[(start + Mark.Length)..];
            var end = rest.IndexOf(". ", StringComparison.Ordinal);
            return (end < 0 ? rest : rest[..end]).TrimEnd('.');
        }
    }

    public static OptionEntry Of(Option option, string? description = null) =>
        new([.. option.Aliases.Append(option.Name).OrderBy(name => name.Length)], option.HelpName,
            description ?? option.Description ?? string.Empty);
}
