using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>What the design has and this version has not: known, so that it is refused by name and never taken for a path or ignored.</summary>
internal static class NotBuiltYet
{
    private static readonly string[] WithValue =
    [
        "--to", "--as", "--key-file",
    ];

    private static readonly string[] Flags = ["--watch"];

    public static IReadOnlyList<string> Verbs { get; } = ["fetch"];

    public static IReadOnlyList<Option> CreateOptions() =>
    [
        .. WithValue.Select(name => new Option<string[]>(name) { Hidden = true }),
        .. Flags.Select(name => new Option<bool>(name) { Hidden = true }),
    ];

    /// <summary>Refuses the first of them that was given.</summary>
    public static void Refuse(ParseResult parsed, CliOptions options)
    {
        foreach (var option in options.NotBuilt)
            if (CliOptions.IsGiven(parsed, option)) throw new UsageException($"{option.Name} is not built yet.");
    }
}
