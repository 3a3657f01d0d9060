using System.IO.Pipelines;
using System.Runtime.ExceptionServices;

namespace Transfer.Contents;

/// <summary>
/// A bounded pipe between a session and a stream: the local end of an item on one side, and on the other an application's stream or another
/// session.
/// </summary>
internal abstract class PipeContent : EngineContent
{
    internal const int Capacity = 1 << 20;
    internal const int LeastCapacity = 32 * 1024;

    private const int LeastPart = 4096;

    private readonly Pipe _pipe;
    private readonly BudgetShare _room;
    private readonly TaskCompletionSource _started = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _read;
    private long _written;
    private bool _ended;
    private Exception? _failure;
    private int _writerDone;
    private int _readerDone;

    /// <param name="room">The capacity; given back when both sides have ended.</param>
    /// <param name="start">The offset of the first byte.</param>
    /// <param name="length">The whole length, if known.</param>
    protected PipeContent(BudgetShare room, long start = 0, long? length = null)
    {
        _room = room;
        _pipe = new Pipe(new PipeOptions(
            pauseWriterThreshold: room.Bytes, resumeWriterThreshold: room.Bytes / 2,
            minimumSegmentSize: (int)Math.Min(room.Bytes, 32 * 1024), useSynchronizationContext: false));
        _read = _written = start;
        Start = start;
        Length = length;
    }

    /// <summary>The offset of the first byte.</summary>
    public long Start { get; }

    public override long? Length { get; }

    public override long? WholeLength => Length ?? (_ended ? _read : null);

    /// <summary>Whether the reading side has ended.</summary>
    public bool ReadingEnded => Volatile.Read(ref _readerDone) != 0;

    protected bool NothingRead => _read == Start;

    protected bool NothingWritten => _written == Start;

    /// <summary>Ends with the first write, the end or the failure, whichever comes first.</summary>
    public Task Started => _started.Task;

    public override async ValueTask WhenReadableAsync(long offset, CancellationToken ct)
    {
        var result = await _pipe.Reader.ReadAsync(ct).ConfigureAwait(false);
        _pipe.Reader.AdvanceTo(result.Buffer.Start);
    }

    /// <summary>Takes the bytes in the pipe, from the position of the last read; 0: the writer is done.</summary>
    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        if (offset != _read) throw new TransferException(TransferError.Unsupported, "A pipe is read once, in order.");
        if (buffer.Length == 0) return 0;
        var result = await _pipe.Reader.ReadAsync(ct).ConfigureAwait(false);
        var available = result.Buffer;
        if (available.Length > buffer.Length) available = available.Slice(0, buffer.Length);
        var count = 0;
        foreach (var segment in available)
        {
            segment.CopyTo(buffer[count..]);
            count += segment.Length;
        }
        _pipe.Reader.AdvanceTo(available.End);
        _read += count;
        if (count == 0 && result.IsCompleted) _ended = true;
        return count;
    }

    /// <summary>Writes all bytes, waiting for room.</summary>
    public override async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        if (offset != _written) throw new TransferException(TransferError.Unsupported, "A pipe is written once, in order.");
        _started.TrySetResult();
        while (data.Length > 0)
        {
            // In parts, so that a huge buffer does not become a huge pipe.
            var part = data[..(int)Math.Min(data.Length, Math.Max(_room.Bytes / 4, LeastPart))];
            _written += part.Length;
            var result = await _pipe.Writer.WriteAsync(part, ct).ConfigureAwait(false);
            if (result.IsCompleted) throw new TransferException(TransferError.Lost, "The reading side of the transfer has ended.");
            data = data[part.Length..];
        }
    }

    /// <summary>Ends the writing side: the reader gets the remaining bytes and then the end, or the reason.</summary>
    public ValueTask CompleteWritingAsync(Exception? reason)
    {
        if (Interlocked.Exchange(ref _writerDone, 1) != 0) return default;
        _failure = reason;
        _started.TrySetResult();
        var completion = _pipe.Writer.CompleteAsync(reason);
        if (ReadingEnded) _room.Dispose();
        return completion;
    }

    /// <summary>Throws the failure of the writing side, if that came before the first byte. Later ones come with a read.</summary>
    public void ThrowIfFailedBeforeFirstByte()
    {
        if (NothingWritten && _failure is { } failure) ExceptionDispatchInfo.Throw(failure);
    }

    /// <summary>Ends the reading side: a writer that waits for room fails.</summary>
    public ValueTask CompleteReadingAsync()
    {
        if (Interlocked.Exchange(ref _readerDone, 1) != 0) return default;
        var completion = _pipe.Reader.CompleteAsync();
        if (Volatile.Read(ref _writerDone) != 0) _room.Dispose();
        return completion;
    }
}
