namespace Transfer;

/// <summary>Options for a listing.</summary>
public sealed record ListOptions
{
    /// <summary>
    /// Whether sub-directories are listed too, each directory before its entries, and all of a level before the next. Those to come are
    /// listed ahead, many at the same time where the protocol can. Links are never followed.
    /// </summary>
    public bool Recursive { get; init; }

    /// <summary>
    /// Whether a partial listing ends without an exception. For callers that do not take absent entries for deleted ones.
    /// </summary>
    public bool AcceptPartial { get; init; }
}
