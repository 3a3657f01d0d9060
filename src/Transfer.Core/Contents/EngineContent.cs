using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Contents;

/// <summary>
/// The local end of one file of a job, through all attempts at it. The engine calls the members added here, a session those
/// of <see cref="IContent"/>.
/// </summary>
internal abstract class EngineContent : IContent
{
    /// <summary>A content of more bytes than this goes alone, and not many at once.</summary>
    public const long Large = 1 << 20;

    public abstract long? Length { get; }

    public abstract bool CanReplay { get; }

    /// <summary>The whole length, also where it was learned only by reaching the end; null while it is not known.</summary>
    public virtual long? WholeLength => Length;

    /// <summary>Several sessions may read or write different ranges at the same time.</summary>
    public virtual bool HasRanges => false;

    /// <summary>The content comes from another server.</summary>
    public virtual bool IsRemote => false;

    /// <summary><see cref="FinishAsync"/> does blocking work: it must not run on the session's back.</summary>
    public virtual bool FinishBlocks => false;

    /// <summary>It keeps a local file open while a session is at it: see <see cref="Local.OpenFiles"/>.</summary>
    public virtual bool OpensFile => false;

    public virtual ValueTask WhenReadableAsync(long offset, CancellationToken ct) => default;

    public virtual ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) => throw new NotSupportedException();

    public virtual ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct) => throw new NotSupportedException();

    /// <summary>A session is about to take the file. What is thrown here ends the file before any session has heard of it.</summary>
    /// <exception cref="TransferException">The source is gone or cannot be read.</exception>
    public virtual void Prepare()
    {
    }

    /// <summary>Reads a range that was moved before, to compare it; before any session has it. Fewer bytes than asked for: it ends there.</summary>
    public virtual async ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        var read = 0;
        while (read < buffer.Length && await ReadAsync(offset + read, buffer[read..], ct).ConfigureAwait(false) is > 0 and var some) read += some;
        return read;
    }

    /// <summary>A segment's view of it.</summary>
    public virtual EngineContent PartFor(IContentRange range) => new SegmentContent(this, range);

    /// <summary>All segments have been read: it must have been one and the same file all the time.</summary>
    /// <exception cref="TransferException">It was not (<see cref="TransferError.Integrity"/>), or nobody knows.</exception>
    public virtual ValueTask CompareAsync() => default;

    /// <summary>The modification time of what was read, more exact than it was told before. <see cref="FinishAsync"/> follows.</summary>
    public virtual void SetModified(DateTimeOffset modified)
    {
    }

    /// <summary>The session is done; publishes what is to be published here.</summary>
    /// <exception cref="TransferException">It could not be published; <see cref="AbandonAsync"/> follows.</exception>
    public virtual ValueTask FinishAsync(long bytes) => default;

    /// <summary>There will be another attempt from the first byte.</summary>
    public virtual ValueTask ResetAsync() => default;

    /// <summary>The file failed (or was cancelled: null), and nothing of it stays here.</summary>
    public virtual ValueTask AbandonAsync(TransferException? reason) => default;

    /// <summary>There will be another attempt, which may go on with what is here. Null: it begins at the first byte, as after <see cref="ResetAsync"/>.</summary>
    public virtual async ValueTask<Continuation?> PauseAsync()
    {
        await ResetAsync().ConfigureAwait(false);
        return null;
    }

    /// <summary>The file is given up for now: what is here of it stays, to be continued by another run of the job.</summary>
    public virtual ValueTask KeepAsync(TransferException? reason) => AbandonAsync(reason);
}
