using Transfer.Modes;
using Transfer.Replacing;

namespace Transfer.Sessions;

/// <summary>
/// One file, or one segment of a file, that a session moves. The engine makes them, a session takes them
/// from an <see cref="IWorkSource"/> and completes each exactly once.
/// </summary>
public abstract class WorkItem
{
    private readonly string? _askedPath;

    /// <summary>Creates an item.</summary>
    protected WorkItem(WorkKind kind, string path, IContent content)
    {
        Kind = kind;
        Path = path;
        Content = content;
    }

    /// <summary>The direction of the content.</summary>
    public WorkKind Kind { get; }

    /// <summary>The remote file, absolute (see <see cref="RemotePath"/>).</summary>
    public string Path { get; }

    /// <summary>Uploads: the name for writing before the rename to <see cref="Path"/>; null: written under <see cref="Path"/>.</summary>
    public string? TemporaryPath { get; init; }

    /// <summary>
    /// Uploads: the file's directory, which may be missing; null: it exists. A session may create the directory on the way, where that
    /// costs no round trip, and need not report the result: when the file cannot be written, the engine creates missing directories, and
    /// the item comes again.
    /// </summary>
    public string? Directory { get; init; }

    /// <summary>
    /// Uploads: whether <see cref="Path"/> may be replaced. If not, and it exists at the rename, the item fails with
    /// <see cref="TransferError.Exists"/>, as far as the protocol shows that.
    /// </summary>
    public bool Replace { get; init; }

    /// <summary>Uploads: names and records files that are moved aside while the new file gets its name.</summary>
    public virtual IAsideLog Asides => AsideNames.Unrecorded;

    /// <summary>The check that must be made before the item is done.</summary>
    public VerificationMode Verify { get; init; } = VerificationMode.Size;

    /// <summary>
    /// Uploads: whether the content must be on the server's disk before the item is published or done, where the protocol has a command for
    /// that.
    /// </summary>
    public bool FlushToDisk { get; init; }

    /// <summary>
    /// Downloads: whether the file's modification time is wanted because the listing has only minutes or days. A session may request the
    /// time where that costs no round trip: <see cref="WorkOutcome.Done.Source"/>.
    /// </summary>
    public bool WantsTime { get; init; }

    /// <summary>
    /// Downloads to the end of the file whose length is to be compared: the file's exact length by the latest information; null: unknown. A
    /// session that receives more than the length the server gave, or than this where the server gave none, ends with
    /// <see cref="WorkOutcome.Failed.Exceeded"/>.
    /// </summary>
    public long? Announced { get; init; }

    /// <summary>Uploads: the metadata to set on the file.</summary>
    public FileMetadata? Metadata { get; init; }

    /// <summary>
    /// Uploads: the permissions of the source; null: unknown. A session that can set permissions creates a temporary file with
    /// <see cref="FinalMode.Unfinished"/>, and sets those by <see cref="FinalMode"/> before the rename.
    /// </summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>
    /// Uploads: the path that the engine will give the file later; <see cref="Path"/> is then a temporary name. A session that has set the
    /// final permissions by then reports <see cref="WorkOutcome.Done.HasMode"/>. Null: the session gives the file its name, or the item is
    /// a segment.
    /// </summary>
    public string? LaterPath { get; init; }

    /// <summary>
    /// The caller's path, for errors. For a segment of an upload that of the whole file; else <see cref="LaterPath"/>, or
    /// <see cref="Path"/>.
    /// </summary>
    public string AskedPath
    {
        get => _askedPath ?? LaterPath ?? Path;
        init => _askedPath = value;
    }

    /// <summary>
    /// Uploads that may not replace a file: whether the session must look at <see cref="Path"/>, because no look was made. The file gets
    /// its name only if that is proved free (<see cref="Renaming.MustSeeTarget"/>). Set only with
    /// <see cref="TransferFeatures.LooksBesideContent"/>.
    /// </summary>
    public bool MustSeeTarget { get; init; }

    /// <summary>Uploads: whether <see cref="LaterPath"/> may be replaced.</summary>
    public bool ReplacesLater { get; init; }

    /// <summary>Uploads: whether the path was free when the job looked, although it may be replaced.</summary>
    public bool IsNew { get; init; }

    /// <summary>Uploads: whether the file is written under a name other than its final one, so that no reader needs access yet.</summary>
    public bool IsUnfinished => (TemporaryPath ?? LaterPath) is not null;

    /// <summary>Uploads: the path of the file that may be replaced and gives its permissions to the new one; null: none is.</summary>
    public string? ReplacedPath => IsNew ? null : LaterPath is null ? (Replace ? Path : null) : ReplacesLater ? LaterPath : null;

    /// <summary>The first byte to move.</summary>
    public long Offset { get; init; }

    /// <summary>
    /// The end (exclusive); <see cref="long.MaxValue"/>: to the end of the content. The engine may lower it, not below claimed bytes.
    /// </summary>
    public virtual long End { get; init; } = long.MaxValue;

    /// <summary>
    /// Whether other sessions move other segments of the file at the same time. An upload writes its range into
    /// <see cref="TemporaryPath"/>, which may exist already, and neither sets the file's time nor renames nor deletes the file: the engine
    /// does, when all segments are stored.
    /// </summary>
    public bool IsSegment { get; init; }

    /// <summary>The local end.</summary>
    public IContent Content { get; }

    /// <summary>Cancels this item alone.</summary>
    public virtual CancellationToken Canceled => CancellationToken.None;

    /// <summary>
    /// Claims bytes to move, in ascending order, before a session reads or requests them. Claimed bytes stay the item's.
    /// </summary>
    /// <returns>The number of bytes claimed; 0 at the item's end.</returns>
    public virtual int Claim(long offset, int count) => (int)Math.Clamp(End - offset, 0, count);

    /// <summary>
    /// Downloads: the most bytes of the item under way, as the receive window of a connection that the item has for itself, or in requests;
    /// null: no bound. The number changes while bytes come. Optional: a bound that several sessions of one file share keeps their rates
    /// even.
    /// </summary>
    public virtual int? Window => null;

    /// <summary>
    /// Reports the time that a preparation took which began before its item was known; the time it then stood ready does not count.
    /// </summary>
    public virtual void PreparedFor(TimeSpan took)
    {
    }

    /// <summary>Reports content bytes moved since the last call: for progress only, never proof of arrival.</summary>
    public abstract void Report(long bytes);

    /// <summary>
    /// Uploads: reports that the server has confirmed everything from <see cref="Offset"/> to <paramref name="end"/>. A job that broke off
    /// resumes there. Optional in protocols without such confirmations.
    /// </summary>
    /// <param name="end">The end (exclusive) of the confirmed bytes; never less than before.</param>
    public virtual void Confirm(long end)
    {
    }

    /// <summary>Completes the item. Called exactly once for every item taken, also when the session is aborted.</summary>
    public abstract void Complete(WorkOutcome outcome);
}
