using Microsoft.Extensions.Logging;

namespace Transfer.Batch.Carriers.Link;

/// <summary>How a sender carries archives over lanes.</summary>
internal sealed record LinkCarrierOptions
{
    /// <summary>The exact number of lanes, as far as there are archives for them; null: as many as pay.</summary>
    public int? Lanes { get; init; }

    /// <summary>How often, and how soon, failed attempts are repeated.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>The pace of content, over all lanes; null: none.</summary>
    public ContentPace? Flow { get; init; }

    /// <summary>The requests for the receiver's versions of files; null: none.</summary>
    public SignatureRequests? Questions { get; init; }

    /// <summary>
    /// Once cancelled, a job with files left out (<see cref="IArchiveSource.HasPostponed"/>) is not reported as ended to the receiver: when
    /// everything begun is settled the job ends as cancelled, with this token, and the receiver waits for the sender to return with the
    /// rest.
    /// </summary>
    public CancellationToken Finish { get; init; }

    /// <summary>The lanes at work.</summary>
    public LaneBoard Board { get; init; } = new();

    public required ILogger Logger { get; init; }

    public TimeProvider Time { get; init; } = TimeProvider.System;
}
