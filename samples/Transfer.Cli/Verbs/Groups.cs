using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Verbs;

/// <summary>Groups of options as the help shows them.</summary>
internal static class Groups
{
    public static (string, IEnumerable<Option>) Transfer(CliOptions options) => ("Files", options.Transfer);

    public static (string, IEnumerable<Option>) Filter(CliOptions options) => ("Filters", options.Filter);

    public static (string, IEnumerable<Option>) Names(CliOptions options) => ("Which files", options.Names);

    public static (string, IEnumerable<Option>) Batch(CliOptions options) => ("Many small files", [options.Batch]);

    public static (string, IEnumerable<Option>) Json(CliOptions options) => ("Output", [options.Json]);

    public static (string, IEnumerable<Option>) Items(CliOptions options) => ("Output", [options.Json, options.JsonItems]);

    public static (string, IEnumerable<Option>) Connection(CliOptions options) => ("Connection", options.Connection);

    public static (string, IEnumerable<Option>) Login(CliOptions options) => ("Log-in and trust", options.Login.All);
}
