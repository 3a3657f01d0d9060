namespace Transfer.Fleet;

/// <summary>
/// The outcome of a step's last run. What was sent is the sum of all runs that have ended, as in <see cref="PartResult"/>.
/// </summary>
internal sealed record PartOutcome
{
    /// <summary>The kind of the first failure, a value of <see cref="TransferError"/> or a type of exception; null: no failure.</summary>
    public string? Error { get; init; }

    /// <summary>The message of that failure.</summary>
    public string? Message { get; init; }

    /// <summary>Files that were sent.</summary>
    public long Files { get; init; }

    /// <summary>Bytes of those.</summary>
    public long Bytes { get; init; }

    /// <summary>Items that were at the target already.</summary>
    public long Confirmed { get; init; }

    /// <summary>Entries that were deleted.</summary>
    public long Deleted { get; init; }

    /// <summary>Items that failed.</summary>
    public long Failed { get; init; }

    /// <summary>The time of all runs.</summary>
    public double Seconds { get; init; }

    /// <summary>Returns the outcome of a part's result.</summary>
    public static PartOutcome Of(PartResult result)
    {
        var first = result.Failures.Count > 0 ? result.Failures[0] : null;
        return new()
        {
            Error = first?.Error.ToString() ?? (result.Failed > 0 ? nameof(TransferError.Unknown) : null),
            Message = first is null ? null : $"{first.Path}: {first.Message}",
            Files = result.Files,
            Bytes = result.Bytes,
            Confirmed = result.Unchanged,
            Deleted = result.Deleted,
            Failed = result.Failed,
            Seconds = result.Seconds,
        };
    }
}
