namespace Transfer;

/// <summary>How a listing is made.</summary>
public sealed record ListOptions
{
    /// <summary>Lists sub-directories too, each directory before what is in it. Links are never followed.</summary>
    public bool Recursive { get; init; }
}
