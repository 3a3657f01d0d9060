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

    /// <summary>Which way the content goes.</summary>
    public WorkKind Kind { get; }

    /// <summary>The remote file, absolute (see <see cref="RemotePath"/>).</summary>
    public string Path { get; }

    /// <summary>Uploads: the name to write under before the file is renamed to <see cref="Path"/>; null: written under its own name.</summary>
    public string? TemporaryPath { get; init; }

    /// <summary>
    /// Uploads: the directory that the file goes into, which may be missing; null: it is there. A session may make it on the way, where that costs no round trip, and
    /// need not say how that went: when the file cannot be written, the engine makes whatever is missing, and the item comes again.
    /// </summary>
    public string? Directory { get; init; }

    /// <summary>Uploads: <see cref="Path"/> may be replaced. When false and it exists at the time of the rename, the item fails with <see cref="TransferError.Exists"/> as far as the protocol can tell.</summary>
    public bool Replace { get; init; }

    /// <summary>Uploads: names and remembers what is moved aside while the file gets its name.</summary>
    public virtual IAsideLog Asides => AsideNames.Unrecorded;

    /// <summary>How much must be checked before the item is done.</summary>
    public VerificationMode Verify { get; init; } = VerificationMode.Size;

    /// <summary>Uploads: the content is to be on the server's disk before the item is published or done, where the protocol can say so.</summary>
    public bool FlushToDisk { get; init; }

    /// <summary>
    /// Downloads: the file's modification time is wanted, and the listing that told of it has minutes or days only. A session may ask for it where that costs no round
    /// trip: <see cref="WorkOutcome.Done.Source"/>.
    /// </summary>
    public bool WantsTime { get; init; }

    /// <summary>
    /// Downloads to the end of the file whose length is to be compared: the file's exact length, as it was told last; null: not told. A
    /// session that gets more than the server told it
    /// itself, or than this where the server told nothing, ends with <see cref="WorkOutcome.Failed.Exceeded"/>.
    /// </summary>
    public long? Announced { get; init; }

    /// <summary>Uploads: what to set on the file.</summary>
    public FileMetadata? Metadata { get; init; }

    /// <summary>
    /// Uploads: the permissions of the source; null: not known. A session that can set permissions creates a temporary file with <see cref="FinalMode.Unfinished"/>, and gives it what
    /// <see cref="FinalMode"/> decides before it is renamed.
    /// </summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>
    /// Uploads: <see cref="Path"/> is a temporary name, and the engine will give the file this one once the session is done with it. A session that has given the file its permissions by then says so:
    /// <see cref="WorkOutcome.Done.HasMode"/>. Null: the file has its own name when the session is done with it, or is a segment.
    /// </summary>
    public string? LaterPath { get; init; }

    /// <summary>The path that the caller asked for, which errors name. Of a segment of an upload it is the whole file's; else <see cref="LaterPath"/>, or <see cref="Path"/>.</summary>
    public string AskedPath
    {
        get => _askedPath ?? LaterPath ?? Path;
        init => _askedPath = value;
    }

    /// <summary>
    /// Uploads that may not replace a file: no look at <see cref="Path"/> was made. The session looks, and gives the file its name only where that is proved to be free
    /// (<see cref="Renaming.MustSeeTarget"/>). Set only where <see cref="TransferFeatures.LooksBesideContent"/> is.
    /// </summary>
    public bool MustSeeTarget { get; init; }

    /// <summary>Uploads: <see cref="LaterPath"/> may be replaced.</summary>
    public bool ReplacesLater { get; init; }

    /// <summary>Uploads: nothing was at its path when the job looked, although it may be replaced.</summary>
    public bool IsNew { get; init; }

    /// <summary>Uploads: the file is written under another name than its own, so that nobody else need read it yet.</summary>
    public bool IsUnfinished => (TemporaryPath ?? LaterPath) is not null;

    /// <summary>Uploads: the path of the file that may be replaced, whose permissions the new one then has; null: none is.</summary>
    public string? ReplacedPath => IsNew ? null : LaterPath is null ? (Replace ? Path : null) : ReplacesLater ? LaterPath : null;

    /// <summary>The first byte to move.</summary>
    public long Offset { get; init; }

    /// <summary>The byte after the last; <see cref="long.MaxValue"/>: to the end of the content. The engine may lower it, not below what was claimed.</summary>
    public virtual long End { get; init; } = long.MaxValue;

    /// <summary>
    /// Other sessions move the file's other segments at the same time. An upload writes its range into <see cref="TemporaryPath"/>, which may
    /// be there already, and neither sets its time nor renames nor deletes it: the engine does, when all segments are there.
    /// </summary>
    public bool IsSegment { get; init; }

    /// <summary>The local end.</summary>
    public IContent Content { get; }

    /// <summary>Cancels this item alone.</summary>
    public virtual CancellationToken Canceled => CancellationToken.None;

    /// <summary>
    /// Asks, in ascending order, for bytes to move, before a session reads or requests them. What was claimed stays the item's.
    /// </summary>
    /// <returns>How many of them are the item's; 0 at its end.</returns>
    public virtual int Claim(long offset, int count) => (int)Math.Clamp(End - offset, 0, count);

    /// <summary>Tells that what a transfer needs was begun before it was known for which item, and took so long; that it then stood ready does not count.</summary>
    public virtual void PreparedFor(TimeSpan took)
    {
    }

    /// <summary>Tells of content bytes moved since the last call: for progress only, never proof of arrival.</summary>
    public abstract void Report(long bytes);

    /// <summary>
    /// Uploads: tells that everything from <see cref="Offset"/> to <paramref name="end"/> has been confirmed by the server. A job that is broken
    /// off goes on there. Sessions of protocols that confirm nothing in between need not call it.
    /// </summary>
    /// <param name="end">The byte after the last that was confirmed; never less than before.</param>
    public virtual void Confirm(long end)
    {
    }

    /// <summary>Ends the session's part. Called exactly once for every item taken, also when the session is aborted.</summary>
    public abstract void Complete(WorkOutcome outcome);
}
