using Microsoft.Extensions.Logging;

namespace Transfer.Batch.Carriers.Link;

/// <summary>How a sender carries archives over lanes.</summary>
internal sealed record LinkCarrierOptions
{
    /// <summary>Exactly so many lanes, as far as there are archives for them; null: as many as pay.</summary>
    public int? Lanes { get; init; }

    /// <summary>How often, and how soon, what failed is tried again.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>What holds content back, over all lanes; null: nothing.</summary>
    public ContentPace? Flow { get; init; }

    /// <summary>What is asked of files that the receiver has; null: nothing.</summary>
    public BaseQuestions? Questions { get; init; }

    /// <summary>
    /// Once it has fired, a job of which something was left out (<see cref="IArchiveSource.HasLeft"/>) is not said to be over: when all that was begun is settled it ends as a cancelled
    /// one, with this token, and its receiver waits for the sender to come back with the rest.
    /// </summary>
    public CancellationToken Finish { get; init; }

    public required ILogger Logger { get; init; }

    public TimeProvider Time { get; init; } = TimeProvider.System;
}
