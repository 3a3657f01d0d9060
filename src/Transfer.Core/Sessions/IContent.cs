namespace Transfer.Sessions;

/// <summary>
/// The local end of a work item, addressed by offset: read for an upload, written for a download. A session
/// calls one item's content from one task at a time, in ascending order unless ranges were requested.
/// </summary>
public interface IContent
{
    /// <summary>
    /// The whole length in bytes, if known before the end: of the source, or as announced by the remote side. 0 may stand for a length that
    /// the source does not report (/proc): a session reads such a content to its end.
    /// </summary>
    long? Length { get; }

    /// <summary>Whether bytes can be read or written a second time, so that the item may be retried.</summary>
    bool CanReplay { get; }

    /// <summary>
    /// Waits until a read would not wait for another session's bytes, in a copy between servers. A session with bounded buffers waits here
    /// before taking one.
    /// </summary>
    ValueTask WhenReadableAsync(long offset, CancellationToken cancellationToken) => default;

    /// <summary>
    /// Reads from an offset; 0 only at the end. Throws <see cref="TransferException"/> if the file was replaced or shrank under way.
    /// </summary>
    ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken cancellationToken);

    /// <summary>Writes all of a buffer at an offset.</summary>
    ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken cancellationToken);
}
