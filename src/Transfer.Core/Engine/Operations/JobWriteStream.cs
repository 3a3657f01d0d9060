using Transfer.Contents;

namespace Transfer.Engine.Operations;

/// <summary>A remote file that is being written: the near end of an upload's pipe.</summary>
internal sealed class JobWriteStream : TransferWriteStream
{
    private readonly UploadPipe _pipe;
    private readonly Task<TransferResult> _job;
    private readonly CancellationTokenSource _cancel;
    private long _written;
    private bool _torn;
    private bool _committed;
    private bool _disposed;

    /// <param name="pipe">The pipe that the job empties.</param>
    /// <param name="job">The upload's result.</param>
    /// <param name="cancel">Ends the job: the temporary file is deleted.</param>
    public JobWriteStream(UploadPipe pipe, Task<TransferResult> job, CancellationTokenSource cancel)
    {
        _pipe = pipe;
        _job = job;
        _cancel = cancel;
    }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => !_disposed && !_committed;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => _written;
        set => throw new NotSupportedException();
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_committed) throw new InvalidOperationException("The file is committed.");
        if (_job.IsCompleted)
        {
            // A failed job throws the reason. A skipped one, where the target stays, discards the bytes.
            await _job.ConfigureAwait(false);
            _written += buffer.Length;
            return;
        }
        var complete = false;
        try
        {
            await _pipe.WriteAsync(_written, buffer, cancellationToken).ConfigureAwait(false);
            _written += buffer.Length;
            complete = true;
        }
        catch (TransferException) when (_pipe.ReadingEnded)
        {
            // The session stopped reading: the job knows why. A skipped job has no reason.
            await _job.WaitAsync(cancellationToken).ConfigureAwait(false);
            _written += buffer.Length;
            complete = true;
        }
        finally
        {
            // A part of the buffer may be on its way: such a file must not be published.
            _torn |= !complete;
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask<TransferResult> CommitAsync(CancellationToken ct = default)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_committed) throw new InvalidOperationException("The file is committed already.");
        if (_job.IsFaulted) await _job.ConfigureAwait(false);
        if (_torn) throw new InvalidOperationException("A write failed or was cancelled: the content is not whole.");
        _committed = true;
        await _pipe.CompleteWritingAsync(null).ConfigureAwait(false);
        try
        {
            return await _job.WaitAsync(ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (ct.IsCancellationRequested)
        {
            await _cancel.CancelAsync().ConfigureAwait(false);
            await ((Task)_job).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Flush()
    {
        // Written bytes are on their way; only the commit proves arrival.
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        ValidateBufferArguments(buffer, offset, count);
        WriteAsync(buffer.AsMemory(offset, count), CancellationToken.None).AsTask().GetAwaiter().GetResult();
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override async ValueTask DisposeAsync()
    {
        if (_disposed) return;
        _disposed = true;
        if (!_committed)
        {
            await _cancel.CancelAsync().ConfigureAwait(false);
            await _pipe.CompleteWritingAsync(new TransferException(TransferError.Lost, "The file was given up before it was committed."))
                .ConfigureAwait(false);
        }
        await ((Task)_job).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _pipe.CompleteReadingAsync().ConfigureAwait(false);
        _cancel.Dispose();
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_disposed) DisposeAsync().AsTask().GetAwaiter().GetResult();
        base.Dispose(disposing);
    }
}
