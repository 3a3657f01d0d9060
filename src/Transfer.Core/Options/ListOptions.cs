namespace Transfer;

/// <summary>How a listing is made.</summary>
public sealed record ListOptions
{
    /// <summary>Lists sub-directories too, each directory before what is in it. Links are never followed.</summary>
    public bool Recursive { get; init; }

    /// <summary>
    /// Takes a listing that lacks entries, or may lack some, for one that does not: nothing is thrown at its end. For callers who do not take what is absent for gone.
    /// </summary>
    public bool AcceptPartial { get; init; }
}
