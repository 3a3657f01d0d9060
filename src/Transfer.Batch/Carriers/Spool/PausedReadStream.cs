using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A stream that pauses reads with the job.</summary>
internal sealed class PausedReadStream(Stream inner, TransferJobContext job) : SequentialStream
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
        return await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
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
