using System.Buffers;
using System.IO.Pipelines;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>The received data of a channel that its user has not read. Thread-safe.</summary>
internal sealed class ChannelData
{
    private readonly Lock _gate = new();
    private readonly Pipe _pipe;
    private bool _hasEnded;
    private bool _isDropped;

    /// <param name="segments">The pool of the memory for the data.</param>
    public ChannelData(SegmentPool segments) => _pipe = new Pipe(new PipeOptions(
        segments, pauseWriterThreshold: 0, resumeWriterThreshold: 0, minimumSegmentSize: SegmentPool.SegmentSize,
        useSynchronizationContext: false, writerScheduler: PipeScheduler.Inline));

    public PipeReader Reader => _pipe.Reader;

    /// <summary>Stores data. False: the data is not wanted any more.</summary>
    public bool TryWrite(ReadOnlySpan<byte> data)
    {
        lock (_gate)
        {
            if (_hasEnded || _isDropped) return false;
            _pipe.Writer.Write(data);
            return true;
        }
    }

    /// <summary>Wakes the reader for new data.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            if (_hasEnded) return;

            // Never waits: the window bounds the buffered data, not the pipe.
            var flush = _pipe.Writer.FlushAsync(CancellationToken.None);
            if (flush.IsCompletedSuccessfully) _ = flush.Result;
        }
    }

    /// <summary>Ends the data.</summary>
    /// <param name="reason">The error; null after the complete data.</param>
    public void End(Exception? reason)
    {
        lock (_gate)
        {
            if (_hasEnded) return;
            _hasEnded = true;
            _pipe.Writer.Complete(reason);
        }
    }

    /// <summary>Drops later data: the reader has gone.</summary>
    public void Drop()
    {
        lock (_gate) _isDropped = true;
    }
}
