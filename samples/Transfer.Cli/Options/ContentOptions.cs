using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options of the verbs that read files: cat, tail, hash and check.</summary>
internal sealed class ContentOptions
{
    public Option<string> Range { get; } = CliOptions.Text("--range", "A-B",
        "Print bytes A to B only, both included and counted from 0; A- to the end, -N the last N bytes. Sizes as in --min-size.");

    public Option<string> Lines { get; } = CliOptions.Text("--lines", "N", "The number of lines. Default: 10.", "-n");

    public Option<string> Bytes { get; } = CliOptions.Text("--bytes", "SIZE", "Print the last bytes instead of lines.", "-c");

    public Option<bool> Follow { get; } =
        CliOptions.Flag("--follow", "Go on with what is appended, until interrupted; a file that becomes shorter begins anew.", "-f");

    public Option<string> Interval { get; } = CliOptions.Text("--interval", "S", "Seconds between looks. Default: 2.");

    public Option<string> Algorithm { get; } =
        CliOptions.Text("--algorithm", "sha256|sha1|sha384|sha512|md5|crc32",
            "The hash. Default: sha256. crc32: only where the server computes it.");

    public Option<bool> ByHash { get; } = CliOptions.Flag("--hash", "Compare content by hashes: --compare hash.");

    public Option<bool> OneWay { get; } = CliOptions.Flag("--one-way", "Files that only TO has are no difference.");
}
