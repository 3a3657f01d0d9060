using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>What the design has and this version has not: known, so that it is refused by name and never taken for a path or ignored.</summary>
internal static class NotBuiltYet
{
    /// <summary>Refuses it where it was given.</summary>
    public static void Refuse(ParseResult parsed, CliOptions options)
    {
        switch (CliOptions.Value(parsed, options.Batch))
        {
            case null or "auto" or "off":
                break;
            case "on":
                throw new UsageException("--batch on is not built yet.");
            default:
                throw new UsageException("--batch wants auto, on or off.");
        }
    }
}
