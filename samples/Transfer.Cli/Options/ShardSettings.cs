using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The part of a job that this run is: --shard, else TRANSFER_SHARD.</summary>
internal static class ShardSettings
{
    public const string Variable = "TRANSFER_SHARD";

    private const string Auto = "auto";
    private const string Wanted = "--shard wants I/N with I from 0 to N-1, final, auto in a Slurm array, or auto/N in an Indexed Job.";

    /// <summary>Reads the part; null: the job is whole.</summary>
    public static TransferShard? Read(ParseResult parsed, CliOptions options, Func<string, string?> environment)
    {
        // Verbs without filters are never divided, whatever the variable holds.
        if (!parsed.CommandResult.Command.Options.Contains(options.Shard)) return null;
        var unit = CliOptions.Value(parsed, options.ShardBy) switch
        {
            null or "file" => ShardUnit.File,
            "folder" => ShardUnit.Directory,
            _ => throw new UsageException("--shard-by wants file or folder."),
        };
        var text = CliOptions.Value(parsed, options.Shard) ?? environment(Variable);
        if (text is null or "")
        {
            if (CliOptions.IsGiven(parsed, options.ShardBy)) throw new UsageException("--shard-by goes with --shard.");
            return text is null ? null : throw new UsageException(Wanted);
        }
        if (text == Auto || text.StartsWith(Auto + "/", StringComparison.Ordinal)) text = OfScheduler(text[Auto.Length..], environment);
        return TransferShard.TryParse(text, unit, out var shard) ? shard : throw new UsageException(Wanted);
    }

    // Slurm's array names its tasks by any numbers in a row; a Kubernetes Indexed Job counts from 0 and does not name the number of tasks.
    private static string OfScheduler(string count, Func<string, string?> environment)
    {
        if (count.Length > 0)
        {
            return environment("JOB_COMPLETION_INDEX") is { } index ? index + count
                : throw new UsageException("--shard auto/N takes JOB_COMPLETION_INDEX of a Kubernetes Indexed Job, which is not set.");
        }
        if (environment("SLURM_ARRAY_TASK_COUNT") is { } tasks && long.TryParse(environment("SLURM_ARRAY_TASK_ID"), out var task))
        {
            return environment("SLURM_ARRAY_TASK_STEP") is null or "1"
                ? $"{task - (long.TryParse(environment("SLURM_ARRAY_TASK_MIN"), out var first) ? first : 0)}/{tasks}"
                : throw new UsageException("--shard auto wants a Slurm array whose numbers are in a row.");
        }
        throw new UsageException("--shard auto takes SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT of a Slurm array, which are not set.");
    }
}
