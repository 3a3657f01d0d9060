using Transfer.Contents;
using Transfer.Engine.Files;

namespace Transfer.Engine.Operations;

/// <summary>A part of a remote file, read in order: the far end of a download's pipe. Early disposal cancels the download.</summary>
internal sealed class JobReadStream : RemoteReadStream
{
    /// <summary>The time in which a session may finish with the file. A longer one costs the session: the server may be silent.</summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private readonly DownloadPipe _pipe;
    private readonly JobFile _file;
    private readonly CancellationTokenSource _cancel;
    private readonly CancellationTokenSource _abort;
    private readonly Task _job;
    private long _position;

    /// <param name="pipe">The pipe that the job fills.</param>
    /// <param name="file">The job's only file.</param>
    /// <param name="job">Ends when every trace of the download is gone.</param>
    /// <param name="cancel">Cancels the file: the session may survive that.</param>
    /// <param name="abort">Ends the job, also where no session has taken the file yet.</param>
    public JobReadStream(DownloadPipe pipe, JobFile file, Task job, CancellationTokenSource cancel, CancellationTokenSource abort)
    {
        _pipe = pipe;
        _file = file;
        _job = job;
        _cancel = cancel;
        _abort = abort;
        _position = pipe.Start;
    }

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => _position - _pipe.Start;
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        try
        {
            var read = await _pipe.ReadAsync(_position, buffer, cancellationToken).ConfigureAwait(false);
            _position += read;
            return read;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // Not by the caller: the job knows why, as when the client is disposed of.
            await _job.WaitAsync(cancellationToken).ConfigureAwait(false);
            throw;
        }
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    protected override async ValueTask ReleaseAsync()
    {
        await _cancel.CancelAsync().ConfigureAwait(false);
        if (_file.Attempts.Count == 0) await _abort.CancelAsync().ConfigureAwait(false);
        else _abort.CancelAfter(Patience);
        await _pipe.CompleteReadingAsync().ConfigureAwait(false);
        await _job.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _cancel.Dispose();
        _abort.Dispose();
    }
}
