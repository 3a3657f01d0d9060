namespace Transfer;

/// <summary>The outcome of the comparison of an entry of two folders.</summary>
public enum ComparisonOutcome
{
    /// <summary>Both folders have the entry, alike.</summary>
    Same,

    /// <summary>Only the source has the entry.</summary>
    Missing,

    /// <summary>Only the target has the entry.</summary>
    Extra,

    /// <summary>Both folders have the entry, and the two differ.</summary>
    Different,

    /// <summary>The entry could not be compared: see <see cref="ComparedItem.Error"/>.</summary>
    Failed,
}
