using System.Buffers;
using System.IO.Pipelines;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>The data that a channel has received and its user has not read. Thread-safe.</summary>
internal sealed class ChannelData
{
    private readonly Lock _gate = new();
    private readonly Pipe _pipe;
    private bool _isOver;
    private bool _isDropped;

    /// <param name="segments">Where the room for it is from.</param>
    public ChannelData(SegmentPool segments) => _pipe = new Pipe(new PipeOptions(
        segments, pauseWriterThreshold: 0, resumeWriterThreshold: 0, minimumSegmentSize: SegmentPool.SegmentSize, useSynchronizationContext: false, writerScheduler: PipeScheduler.Inline));

    public PipeReader Reader => _pipe.Reader;

    /// <summary>Takes data. False: it is not wanted any more.</summary>
    public bool TryWrite(ReadOnlySpan<byte> data)
    {
        lock (_gate)
        {
            if (_isOver || _isDropped) return false;
            _pipe.Writer.Write(data);
            return true;
        }
    }

    /// <summary>Wakes the reader of what has come.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            if (_isOver) return;

            // Never waits: the window bounds what is buffered, not the pipe.
            var flush = _pipe.Writer.FlushAsync(CancellationToken.None);
            if (flush.IsCompletedSuccessfully) _ = flush.Result;
        }
    }

    /// <summary>Nothing more comes.</summary>
    /// <param name="reason">Why not; null: the server has sent all of it.</param>
    public void End(Exception? reason)
    {
        lock (_gate)
        {
            if (_isOver) return;
            _isOver = true;
            _pipe.Writer.Complete(reason);
        }
    }

    /// <summary>Nobody reads any more.</summary>
    public void Drop()
    {
        lock (_gate) _isDropped = true;
    }
}
