namespace Transfer.Sessions;

/// <summary>
/// Collects the gaps of one directory's listing from a provider. The verdict holds once the listing has ended; without a report the listing
/// counts as complete. Used by one thread at a time.
/// </summary>
public sealed class ListingReport
{
    private const int MostReasons = 3;

    private readonly List<string> _reasons = [];
    private bool _mayLack;
    private bool _isUnproved;
    private bool _isRefused;

    /// <summary>The meaning of absence from the listing.</summary>
    public ListingVerdict Verdict =>
        _reasons.Count > 0 || _mayLack ? ListingVerdict.Partial
        : _isRefused ? ListingVerdict.EmptyRefused
        : _isUnproved ? ListingVerdict.EmptyUnproved : ListingVerdict.Complete;

    /// <summary>
    /// Whether the caller decides by presence alone: entries may be missing without notice (see <see cref="DoubtAbsence"/>), and times may
    /// be less precise, where that saves round trips.
    /// </summary>
    public bool PresenceSuffices { get; init; }

    /// <summary>
    /// Whether nothing is deleted or replaced because of its absence from the listing: then another way suffices at servers that are known
    /// to show the same entries by it (<see cref="TransferFeatures.FindsAll"/>).
    /// </summary>
    public bool OnlyShows { get; init; }

    /// <summary>
    /// Whether the caller needs names, types and permissions and nothing else of the entries, but needs all of them.
    /// </summary>
    public bool NamesSuffice { get; init; }

    /// <summary>
    /// Whether the caller proves the directories (<see cref="TransferSession.ProveDirectoriesAsync"/>), which takes entries of a listing
    /// unless the session's <see cref="TransferFeatures.ProvesFinds"/> says otherwise.
    /// </summary>
    public bool NeedsProofs { get; init; }

    /// <summary>
    /// The directory as the listing above shows it, where it may be a link: then it is listed only if it proves to be none. For sessions
    /// with <see cref="TransferFeatures.ProvesBesideFinds"/>.
    /// </summary>
    public RemoteEntry? Unproved { get; init; }

    /// <summary>The proof of <see cref="Unproved"/>; null: not asked for.</summary>
    public DirectoryProof? Proof { get; private set; }

    /// <summary>Whether entries may be missing without notice.</summary>
    internal bool MayLack => _mayLack;

    /// <summary>Why the listing is partial; null: not partial, as far as is known. The first three reasons at most.</summary>
    public string? Reason => _reasons.Count == 0 ? null : string.Join("; ", _reasons);

    /// <summary>
    /// Whether names with a leading dot may be missing, under any verdict: servers that run ls hide them unless requested.
    /// </summary>
    public bool MayHideDots { get; private set; }

    /// <summary>Notes that entries are missing from the listing, or may be.</summary>
    /// <param name="reason">The reason, as a clause that can follow a colon.</param>
    public void AddGap(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        if (_reasons.Count < MostReasons && !_reasons.Contains(reason)) _reasons.Add(reason);
    }

    /// <summary>
    /// Notes that entries may be missing without notice, in a listing for which presence suffices. That is no gap to report.
    /// </summary>
    public void DoubtAbsence() => _mayLack = true;

    /// <summary>Notes the proof of <see cref="Unproved"/>.</summary>
    public void Prove(DirectoryProof proof) => Proof = proof;

    /// <summary>Notes that the listing is empty, as that of an unreadable directory would be.</summary>
    public void DoubtEmptiness() => _isUnproved = true;

    /// <summary>Notes that the server refused the listing of a directory that exists, as some servers do where one is empty.</summary>
    public void DoubtRefusal() => _isRefused = true;

    /// <summary>Notes that the listing has no name with a leading dot, and would have none even if the directory did.</summary>
    public void DoubtDots() => MayHideDots = true;

    /// <summary>Returns the error of a partial listing; null: not partial.</summary>
    /// <param name="directory">The path of the directory.</param>
    internal TransferException? ToError(string directory) => Reason is not { } reason
        ? null
        : new TransferException(TransferError.Partial, $"The listing is partial: {reason}.") { RemotePath = directory };
}
