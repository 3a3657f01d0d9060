namespace Transfer.Sessions;

/// <summary>How a session left a work item.</summary>
public abstract record WorkOutcome
{
    private WorkOutcome()
    {
    }

    /// <summary>The file is whole, verified, and published where the item asked for it.</summary>
    /// <param name="Bytes">Content bytes moved.</param>
    /// <param name="Verified">What was really checked.</param>
    public sealed record Done(long Bytes, VerificationMode Verified) : WorkOutcome
    {
        /// <summary>
        /// A download of a segment, or of a file whose time is wanted: the file that was read, as its open handle told when everything was asked for, or its name in front of
        /// that; null: it tells nothing. The engine sees by it that all segments are of one file, and gives what was written its time.
        /// </summary>
        public FileStamp? Source { get; init; }

        /// <summary>
        /// Uploads whose length was to be compared (<see cref="WorkItem.Verify"/>): the server confirmed the content, and told this session no
        /// length of it. The file still has the name that it was written under, a temporary one if there was one: the engine looks at it by
        /// other means, and publishes it.
        /// </summary>
        public bool IsUnseen { get; init; }

        /// <summary>Uploads with a <see cref="WorkItem.LaterPath"/>: the file has the permissions that it is to have under its own name.</summary>
        public bool HasMode { get; init; }

        /// <summary>Uploads of a segment: the permissions that <see cref="Transfer.Modes.FinalMode"/> decides on for the whole file, which the engine sets with its name; null: the session cannot tell.</summary>
        public UnixFileMode? FinalMode { get; init; }

        /// <summary>Uploads: the file was to have permissions, asked for by name or those of what it replaces, that the server does not set or does not tell.</summary>
        public bool LosesMode { get; init; }
    }

    /// <summary>It cannot be done, or not on this session; nothing was published and the temporary file is gone if it could be deleted.</summary>
    /// <param name="Error">Why.</param>
    public sealed record Failed(TransferException Error) : WorkOutcome
    {
        /// <summary>
        /// Downloads that came to their clean end with another length than was announced: where that end is in the file. The engine finds out
        /// whether the file has grown to it.
        /// </summary>
        public long? Arrived { get; init; }

        /// <summary>
        /// Downloads: the server sent more than the file's length, which is this; all up to it has been written, and nothing behind it.
        /// The engine finds out whether the file has grown.
        /// </summary>
        public long? Exceeded { get; init; }

        /// <summary>The session was lost before it knew the temporary file deleted: another one has to look.</summary>
        public bool MayLeaveTemporary { get; init; }

        /// <summary>Uploads under the file's own name: the server had opened the file, so that a part of the content may be in it.</summary>
        public bool MayLeavePart { get; init; }

        /// <summary>Its content was verified, and the rename refused.</summary>
        public bool Publishing { get; init; }
    }

    /// <summary>
    /// The session was lost after work on it had begun. <paramref name="Publishing"/> false: at most the temporary file
    /// (or, published directly, the file itself) was touched. True: its content was verified and only the rename's reply is missing.
    /// </summary>
    /// <param name="Publishing">The rename was sent and not answered.</param>
    /// <param name="Error">Why the session was lost.</param>
    public sealed record InDoubt(bool Publishing, TransferException Error) : WorkOutcome
    {
        /// <summary>
        /// All of the item's content was moved, so many bytes, and only the server's last reply is missing: an upload was sent to its end, into a
        /// file that this session had opened, and nothing else that was asked for is missing (<see cref="WorkItem.FlushToDisk"/>); a download
        /// came to its clean end. The engine finds out on another session whether all is there. Null: not all was moved, or in another form
        /// than it has here.
        /// </summary>
        public long? Moved { get; init; }
    }

    /// <summary>Taken, but nothing was done for it: it can simply be given to another session.</summary>
    public sealed record Untouched : WorkOutcome;
}
