using Microsoft.Extensions.Logging;

namespace Transfer;

/// <summary>Options for following a folder (<see cref="WatchExtensions"/>).</summary>
public sealed record WatchOptions
{
    private static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    /// <summary>
    /// The treatment of files: comparison, filter, deletion, what becomes of sources, and everything else of a synchronisation. Links may
    /// not be followed.
    /// </summary>
    public SyncOptions Sync { get; init; } = new();

    /// <summary>
    /// The time for which length and modification time of a file must stay the same before the file is sent, a day at most. Default: 5 s.
    /// </summary>
    public TimeSpan Settle { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The time between two looks at the source, from 100 ms to a day; null: 10 s, and a minute where the system reports changes of a local
    /// source, which are looked at when they come.
    /// </summary>
    public TimeSpan? Interval { get; init; }

    /// <summary>
    /// The ending of a name, such as <c>.done</c>: a file is complete when a file with its name and this ending lies beside it. Files with
    /// the ending are not sent; where sources are removed or moved, they are deleted behind their file. Null: no such files.
    /// </summary>
    public string? Trigger { get; init; }

    /// <summary>Receives the log; null: no log.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Checks the options.</summary>
    /// <exception cref="ArgumentException">An option is invalid.</exception>
    internal WatchOptions Checked()
    {
        var rules = new OptionRules(nameof(WatchOptions));
        ArgumentNullException.ThrowIfNull(Sync);
        ArgumentNullException.ThrowIfNull(TimeProvider);
        rules.NotNegative(Settle);
        rules.Require(Settle <= Longest, nameof(Settle), "must be a day at most");
        rules.Require(Interval is null || Interval >= TimeSpan.FromMilliseconds(100) && Interval <= Longest, nameof(Interval),
            "must be from 100 milliseconds to a day");
        rules.Require(Trigger is null || Trigger.Length > 0 && !Trigger.Contains('/', StringComparison.Ordinal), nameof(Trigger),
            "must be the ending of a name");
        rules.Require(!Sync.DryRun, nameof(Sync), "must not be a dry run: there is no end to plan for");
        rules.Require(Sync.Links != LinkHandling.Follow, nameof(Sync),
            "must not follow links: whether a file elsewhere is complete is not known");
        return this;
    }
}
