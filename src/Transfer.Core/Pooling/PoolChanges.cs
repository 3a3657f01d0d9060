using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>What was decided under the pool's lock and is to be done outside it: opening, closing and logging run foreign code.</summary>
internal sealed class PoolChanges
{
    public List<Opening> ToOpen { get; } = [];

    /// <summary>The refusal of the credentials that was known when these openings were decided on; null: there was none.</summary>
    public TransferException? KnownDenial { get; set; }

    public List<TransferSession> ToClose { get; } = [];

    /// <summary>The limit that has just been found, if it is news.</summary>
    public int? LoweredTo { get; set; }

    /// <summary>The limit that is now being tried.</summary>
    public int? RaisedTo { get; set; }

    /// <summary>The limit that others have found, if it is one.</summary>
    public int? RecalledTo { get; set; }

    /// <summary>It is to be read what they have found.</summary>
    public bool Recalls { get; set; }

    /// <summary>Says which limits have been found.</summary>
    public void LogLimits(ILogger logger)
    {
        if (LoweredTo is { } lowered) Log.SessionLimitLowered(logger, lowered);
        if (RaisedTo is { } raised) Log.SessionLimitRaised(logger, raised);
        if (RecalledTo is { } recalled) Log.SessionLimitRecalled(logger, recalled);
    }
}
