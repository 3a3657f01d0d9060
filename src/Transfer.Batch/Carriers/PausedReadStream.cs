using Transfer.Sessions;

namespace Transfer.Batch.Carriers;

/// <summary>A stream that pauses reads with the job, and owns the stream that it reads.</summary>
/// <param name="inner">The stream.</param>
/// <param name="job">The job.</param>
/// <param name="onRead">Receives the number of bytes of each read; null: not wanted.</param>
internal sealed class PausedReadStream(Stream inner, TransferJobContext job, Action<int>? onRead = null) : SequentialStream
{
    public override bool CanRead => true;

    public override long Length => inner.Length;

    public override long Position
    {
        get => inner.Position;
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (job.IsPaused) await job.WhenResumedAsync(cancellationToken).ConfigureAwait(false);
        var count = await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        onRead?.Invoke(count);
        return count;
    }

    public override async ValueTask DisposeAsync()
    {
        await inner.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing) inner.Dispose();
        base.Dispose(disposing);
    }
}
