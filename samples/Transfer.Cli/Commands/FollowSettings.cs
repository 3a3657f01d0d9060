using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>How a folder is followed, as the options say it.</summary>
internal static class FollowSettings
{
    private static readonly TimeSpan LeastInterval = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    /// <summary>Reads the options.</summary>
    /// <exception cref="UsageException">An option cannot be used.</exception>
    public static WatchOptions Read(Invocation invocation)
    {
        var (follow, transfer) = (invocation.Options.Follow, invocation.Transfer);
        if (transfer.DryRun) throw new UsageException("--watch and --dry-run contradict each other: there is no end to plan for.");
        if (transfer.Links == LinkHandling.Follow)
            throw new UsageException("A folder that is watched has no --links follow: whether a file elsewhere is complete is not known.");
        var usual = new WatchOptions();
        var settle = TransferSettings.ParseSeconds(invocation.Value(follow.Settle), usual.Settle, follow.Settle.Name);
        if (settle > Longest) throw new UsageException("--settle wants seconds, a day at most.");
        TimeSpan? interval = invocation.Value(follow.Interval) is { } text
            ? TransferSettings.ParseSeconds(text, default, follow.Interval.Name) : null;
        if (interval < LeastInterval || interval > Longest) throw new UsageException("--interval wants 0.1 seconds to a day.");
        var trigger = invocation.Value(follow.Trigger);
        if (trigger is not null && (trigger.Length == 0 || trigger.Contains('/', StringComparison.Ordinal)))
            throw new UsageException("--trigger wants the ending of a name, such as .done.");
        return usual with
        {
            Settle = settle,
            Interval = interval,
            Trigger = trigger,
            LoggerFactory = invocation.CreateLoggers(),
            TimeProvider = invocation.Host.TimeProvider,
        };
    }
}
