namespace Transfer.Sessions;

/// <summary>
/// Takes from a provider, while it lists one directory, what the listing lacks. The verdict holds once the listing has ended; a provider that reports nothing says that
/// its listing is complete. Used by one thread at a time.
/// </summary>
public sealed class ListingReport
{
    private const int MostReasons = 3;

    private readonly List<string> _reasons = [];
    private bool _isUnproved;

    /// <summary>What absence from the listing is worth.</summary>
    public ListingVerdict Verdict => _reasons.Count > 0 ? ListingVerdict.Partial : _isUnproved ? ListingVerdict.EmptyUnproved : ListingVerdict.Complete;

    /// <summary>Why the listing is partial; null unless it is. The first three reasons at most.</summary>
    public string? Reason => _reasons.Count == 0 ? null : string.Join("; ", _reasons);

    /// <summary>Names that begin with a dot may be missing from the listing, whatever the verdict on the others is: servers that run ls hide them unless they are asked for.</summary>
    public bool MayHideDots { get; private set; }

    /// <summary>Entries are missing from the listing, or may be.</summary>
    /// <param name="reason">Why, as a clause that can follow a colon.</param>
    public void AddGap(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        if (_reasons.Count < MostReasons && !_reasons.Contains(reason)) _reasons.Add(reason);
    }

    /// <summary>The listing is empty, and would be so too if the directory could not be read.</summary>
    public void DoubtEmptiness() => _isUnproved = true;

    /// <summary>The listing has no name that begins with a dot, and would have none if there were such.</summary>
    public void DoubtDots() => MayHideDots = true;

    /// <summary>The error that a partial listing stands for; null: the listing is not partial.</summary>
    /// <param name="directory">The path of the directory.</param>
    internal TransferException? ToError(string directory) => Reason is not { } reason
        ? null
        : new TransferException(TransferError.Partial, $"The listing is partial: {reason}.") { RemotePath = directory };
}
