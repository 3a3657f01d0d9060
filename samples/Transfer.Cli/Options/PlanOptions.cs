using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options of plan.</summary>
internal sealed class PlanOptions
{
    public Option<string> Into { get; } = CliOptions.Text("--into", "DIR",
        "The folder for the manifests; made when missing, and without a plan in it.");

    public Option<string> Parts { get; } = CliOptions.Text("--parts", "N", "The number of parts, 1 to 1000.");

    public IEnumerable<Option> All => [Into, Parts];
}
