using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Contents;

/// <summary>
/// The local end of one file of a job, through all attempts. The engine calls the members added here, a session those of
/// <see cref="IContent"/>.
/// </summary>
internal abstract class EngineContent : IContent
{
    /// <summary>The length in bytes beyond which a content goes alone, and not many at once.</summary>
    public const long LargeLength = 1 << 20;

    public abstract long? Length { get; }

    public abstract bool CanReplay { get; }

    /// <summary>The whole length, also where only the end of the content has shown the length; null: not known yet.</summary>
    public virtual long? WholeLength => Length;

    /// <summary>Whether several sessions may read or write different ranges at the same time.</summary>
    public virtual bool HasRanges => false;

    /// <summary>Whether the content comes from another server.</summary>
    public virtual bool IsRemote => false;

    /// <summary>Whether <see cref="FinishAsync"/> does blocking work, which must not delay a session.</summary>
    public virtual bool FinishBlocks => false;

    /// <summary>Whether a local file is open while a session moves the content: see <see cref="Local.OpenFiles"/>.</summary>
    public virtual bool OpensFile => false;

    public virtual ValueTask WhenReadableAsync(long offset, CancellationToken ct) => default;

    public virtual ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) => throw new NotSupportedException();

    public virtual ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct) => throw new NotSupportedException();

    /// <summary>Prepares for a session, which is about to take the file. An exception here ends the file before any session has
    /// one.</summary>
    /// <exception cref="TransferException">The source is gone or cannot be read.</exception>
    public virtual void Prepare()
    {
    }

    /// <summary>Reads a range that was moved before, for a comparison, before any session has the file. Fewer bytes than the buffer holds:
    /// the content ends there.</summary>
    public virtual async ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        var read = 0;
        while (read < buffer.Length && await ReadAsync(offset + read, buffer[read..], ct).ConfigureAwait(false) is > 0 and var some)
            read += some;
        return read;
    }

    /// <summary>The view of a segment on this content.</summary>
    public virtual EngineContent PartFor(IContentRange range) => new SegmentContent(this, range);

    /// <summary>Confirms, when all segments have been read, that all were read from one and the same file.</summary>
    /// <exception cref="TransferException">They were not (<see cref="TransferError.Integrity"/>), or that is unknown.</exception>
    public virtual ValueTask VerifyUnchangedAsync() => default;

    /// <summary>Sets a more exact modification time of the bytes read than was known before. <see cref="FinishAsync"/> follows.</summary>
    public virtual void SetModified(DateTimeOffset modified)
    {
    }

    /// <summary>Publishes the file at this end; the session is done.</summary>
    /// <exception cref="TransferException">The file could not be published; <see cref="AbandonAsync"/> follows.</exception>
    public virtual ValueTask FinishAsync(long bytes) => default;

    /// <summary>Prepares for another attempt from the first byte.</summary>
    public virtual ValueTask ResetAsync() => default;

    /// <summary>Removes all of the file from this end: the file failed, or was cancelled (null).</summary>
    public virtual ValueTask AbandonAsync(TransferException? reason) => default;

    /// <summary>Prepares for another attempt, which may continue the bytes here. Null: the attempt begins at the first byte, as after
    /// <see cref="ResetAsync"/>.</summary>
    public virtual async ValueTask<Continuation?> PauseAsync()
    {
        await ResetAsync().ConfigureAwait(false);
        return null;
    }

    /// <summary>Gives the file up for now: its bytes stay here, and another run of the job continues them.</summary>
    public virtual ValueTask KeepAsync(TransferException? reason) => AbandonAsync(reason);
}
