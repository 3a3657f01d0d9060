namespace Transfer.Engine;

/// <summary>A remote file being read: the far end of a download's pipe. Disposed early, it cancels the download.</summary>
internal sealed class JobReadStream : Stream
{
    private readonly DownloadPipe _pipe;
    private readonly JobFile _file;
    private readonly CancellationTokenSource _cancel;
    private readonly CancellationTokenSource _abort;
    private readonly Task _job;
    private long _position;
    private bool _disposed;

    /// <param name="pipe">What the job fills.</param>
    /// <param name="file">The job's only file.</param>
    /// <param name="job">Ends when every trace of the download is gone.</param>
    /// <param name="cancel">Cancels the file: its session may survive that.</param>
    /// <param name="abort">Ends the job, also where no session has come to the file yet.</param>
    public JobReadStream(DownloadPipe pipe, JobFile file, Task job, CancellationTokenSource cancel, CancellationTokenSource abort)
    {
        _pipe = pipe;
        _file = file;
        _job = job;
        _cancel = cancel;
        _abort = abort;
        _position = pipe.Start;
    }

    public override bool CanRead => !_disposed;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => _position - _pipe.Start;
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        var read = await _pipe.ReadAsync(_position, buffer, cancellationToken).ConfigureAwait(false);
        _position += read;
        return read;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("Remote files are read asynchronously.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Flush()
    {
        // Nothing is ever written.
    }

    public override async ValueTask DisposeAsync()
    {
        if (_disposed) return;
        _disposed = true;
        await _cancel.CancelAsync().ConfigureAwait(false);
        if (_file.Attempts == 0) await _abort.CancelAsync().ConfigureAwait(false);
        await _pipe.CompleteReadingAsync().ConfigureAwait(false);
        await _job.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _cancel.Dispose();
        _abort.Dispose();
        await base.DisposeAsync().ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !_disposed)
        {
            // Without waiting for the session to come free.
            _ = DisposeAsync().AsTask();
        }
        base.Dispose(disposing);
    }
}
