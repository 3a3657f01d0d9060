using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>Actions decided under the pool's lock but done outside: opening, closing and logging run foreign code.</summary>
internal sealed class PoolChanges
{
    public List<Opening> ToOpen { get; } = [];

    /// <summary>The refusal of the credentials that was known at the decision on these openings; null: none.</summary>
    public TransferException? KnownDenial { get; set; }

    public List<TransferSession> ToClose { get; } = [];

    /// <summary>The limit that was just found, if new.</summary>
    public int? LoweredTo { get; set; }

    /// <summary>The limit that is now being tried.</summary>
    public int? RaisedTo { get; set; }

    /// <summary>The limit that earlier clients found, if lower.</summary>
    public int? RecalledTo { get; set; }

    /// <summary>Whether the remembered limit is to be read.</summary>
    public bool Recalls { get; set; }

    /// <summary>Logs the limits found.</summary>
    public void LogLimits(ILogger logger)
    {
        if (LoweredTo is { } lowered) Log.SessionLimitLowered(logger, lowered);
        if (RaisedTo is { } raised) Log.SessionLimitRaised(logger, raised);
        if (RecalledTo is { } recalled) Log.SessionLimitRecalled(logger, recalled);
    }
}
