using Transfer.Sessions;
using Transfer.Sftp.Protocol;

namespace Transfer.Sftp.Session;

/// <summary>
/// The file that a download reads, as the server describes the open handle: behind the OPEN, and behind the last READ. A file that is
/// rewritten in place meanwhile arrives as old and new bytes.
/// </summary>
/// <param name="item">The download.</param>
internal sealed class DownloadSource(WorkItem item)
{
    private FileStamp? _before;

    /// <summary>Whether the file was described, so that another description can be compared.</summary>
    public bool IsKnown => _before is not null;

    /// <summary>Whether the file was rewritten.</summary>
    public bool HasChanged { get; private set; }

    /// <summary>
    /// The stamp for the engine: of a segment, or of a file that has grown, whose bytes the engine compares; null: none.
    /// </summary>
    public FileStamp? Stamp { get; private set; }

    /// <summary>The look behind the last READ; null: not sent.</summary>
    public PendingReply? LastLook { get; set; }

    /// <summary>Whether bytes were requested behind that look.</summary>
    public bool IsLastLookEarly { get; set; }

    /// <summary>The latest OPEN.</summary>
    public PendingReply Opening { get; set; }

    /// <summary>The look behind the OPEN.</summary>
    public PendingReply Described { get; set; }

    /// <summary>Takes the description behind the OPEN.</summary>
    public void NoteFirst(in SftpAttributes attributes)
    {
        if (item.IsSegment) Stamp = StampOf(attributes);
        else if (item.Verify >= VerificationMode.Size) _before = StampOf(attributes);
    }

    /// <summary>Takes a later description.</summary>
    public void NoteLast(in SftpAttributes attributes)
    {
        var last = StampOf(attributes);
        if (_before is not { } before || last.Length > before.Length) Stamp = last;
        else HasChanged |= last.Length < before.Length || last.Modified is { } after && before.Modified is { } then && after != then;
    }

    private static FileStamp StampOf(in SftpAttributes attributes) => new(attributes.Length, SftpTimes.Modified(attributes));
}
