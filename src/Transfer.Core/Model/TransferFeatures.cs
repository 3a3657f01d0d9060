namespace Transfer;

/// <summary>The abilities of the connected server, as far as announced.</summary>
public sealed record TransferFeatures
{
    /// <summary>The server's software by the name that the server sent, or null.</summary>
    public string? Server { get; init; }

    /// <summary>Whether a file can be renamed over an existing one in one step. Null: not known before the first try.</summary>
    public bool? RenameReplaces { get; init; }

    /// <summary>Whether downloads can start at an offset.</summary>
    public bool ReadsAtOffset { get; init; }

    /// <summary>
    /// Whether a download that was broken off may go on where it ended: no refusal is known. The bytes in front of that place are compared
    /// first, which shows whether the server reads from there.
    /// </summary>
    public bool ContinuedDownloads { get; init; }

    /// <summary>Whether several sessions can fetch one file together, a segment each (see
    /// <see cref="Sessions.WorkItem.IsSegment"/>).</summary>
    public bool SegmentedDownloads { get; init; }

    /// <summary>Whether several sessions can write one file together, a segment each. False: a file is written whole and in
    /// order.</summary>
    public bool SegmentedUploads { get; init; }

    /// <summary>Whether an upload can continue at the end of a partial file.</summary>
    public bool ContinuedUploads { get; init; }

    /// <summary>Whether files can be copied inside the server, without a transfer of their bytes to the client.</summary>
    public bool CopiesFiles { get; init; }

    /// <summary>
    /// The number of directories that one session can list at the same time; 1: one after another. Calls of
    /// <see cref="Sessions.TransferSession.ListAsync"/> may overlap on such a session, with each other and with no other operation.
    /// </summary>
    public int ListsTogether { get; init; } = 1;

    /// <summary>
    /// Whether the listings of <see cref="ListsTogether"/> follow one another on the session: their commands leave together, and the
    /// entries of one arrive behind those of the one before. Several sessions then list faster than one.
    /// </summary>
    public bool ListsInTurn { get; init; }

    /// <summary>
    /// As <see cref="ListsTogether"/>, for listings for which presence suffices (<see cref="Sessions.ListingReport.PresenceSuffices"/>),
    /// where these are more, and all arrive at the same time.
    /// </summary>
    public int FindsTogether { get; init; } = 1;

    /// <summary>
    /// Whether <see cref="FindsTogether"/> is open to callers that show what is listed (<see cref="Sessions.ListingReport.OnlyShows"/>),
    /// since the server makes both in the same manner.
    /// </summary>
    public bool FindsAll { get; init; }

    /// <summary>
    /// Whether <see cref="FindsTogether"/> is open to callers that prove directories (<see cref="Sessions.ListingReport.NeedsProofs"/>).
    /// </summary>
    public bool ProvesFinds { get; init; } = true;

    /// <summary>
    /// Whether a listing proves its directory to be no link, in the round trip that shows the entries (see
    /// <see cref="Sessions.ListingReport.Unproved"/>).
    /// </summary>
    public bool ProvesBesideFinds { get; init; }

    /// <summary>
    /// The number of requests that one session has under way at once where many entries are deleted or changed; 1: one after another.
    /// Several sessions then work faster than one.
    /// </summary>
    public int ChangesTogether { get; init; } = 1;

    /// <summary>
    /// Whether one session's requests take effect in the order of their sending: a directory may be removed right behind its content.
    /// </summary>
    public bool ChangesInOrder { get; init; }

    /// <summary>Whether a look at an upload's target is possible beside the content, without a further round trip (see
    /// <see cref="Sessions.WorkItem.MustSeeTarget"/>).</summary>
    public bool LooksBesideContent { get; init; }

    /// <summary>Whether modification times can be set, for sure.</summary>
    public bool SetsModified { get; init; }

    /// <summary>Whether permissions can be set.</summary>
    public bool SetsMode { get; init; }

    /// <summary>The finest step of the modification times in listings.</summary>
    public TimeSpan? TimePrecision { get; init; }

    /// <summary>Hash algorithms that the server computes itself, by their common names: <c>SHA-256</c>, <c>MD5</c>, <c>CRC32</c>.</summary>
    public IReadOnlyList<string> Hashes { get; init; } = [];
}
