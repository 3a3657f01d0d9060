using System.IO.Pipelines;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>
/// Messages both ways over a stream, which the connection owns. Input is read ahead and output is written behind, within bounds, so that
/// encryption, packing and unpacking run side by side. Both sides ping; a peer that is silent for the idle time-out counts as lost.
/// </summary>
internal sealed class LinkConnection : IAsyncDisposable
{
    /// <summary>The length of a segment of the two pipes.</summary>
    public const int SegmentLength = 64 * 1024;

    /// <summary>The most bytes read ahead, and written behind; a longer message exceeds this.</summary>
    public const int MostAhead = 1 << 20;

    private const int ReadSize = 16 * 1024; // a record of TLS

    private static readonly TimeSpan FirstPing = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan LeastPing = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan FarewellTime = TimeSpan.FromSeconds(5);

    private readonly Stream _stream;
    private readonly Pipe _in;
    private readonly Pipe _out;
    private readonly TimeSpan _idle;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _broken = new();
    private readonly Lock _gate = new();
    private readonly ITimer _pings;
    private readonly Task _reading;
    private readonly Task _writing;
    private TimeSpan _ping = FirstPing;
    private long _waitingSince; // the start of the read under way; 0: none
    private long _spoke;
    private TransferException? _fault;
    private bool _disposed;

    /// <param name="stream">The stream both ways.</param>
    /// <param name="idle">How long the peer may stay silent.</param>
    /// <param name="time">The clock.</param>
    /// <param name="ahead">The bytes that are read ahead, and as many written behind.</param>
    public LinkConnection(Stream stream, TimeSpan idle, TimeProvider time, int ahead = MostAhead)
    {
        _in = new Pipe(Options(ahead));
        _out = new Pipe(Options(ahead));
        _stream = stream;
        _idle = idle;
        _time = time;
        _spoke = time.GetTimestamp();
        Reader = new LinkReader(_in.Reader);
        Writer = new LinkWriter(_out.Writer, time,
            () => Fault ?? new TransferConnectionException(TransferError.Lost, "The connection is closed."));
        Broken = _broken.Token;
        _reading = Task.Run(ReadAsync);
        _writing = Task.Run(WriteAsync);
        var tick = Smaller(FirstPing, idle / 4);
        _pings = time.CreateTimer(static self => ((LinkConnection)self!).Tick(), this, tick, tick);
    }

    public LinkReader Reader { get; }

    public LinkWriter Writer { get; }

    /// <summary>Fires when the connection is lost or was broken off.</summary>
    public CancellationToken Broken { get; }

    /// <summary>Why the connection is broken; null: no fault.</summary>
    public TransferException? Fault
    {
        get { lock (_gate) return _fault; }
    }

    /// <summary>The other side wants a sign of life within this time.</summary>
    public void KeepAwake(TimeSpan theirs)
    {
        lock (_gate)
        {
            if (_disposed) return;
            _ping = Larger(Smaller(FirstPing, theirs / 3), LeastPing);
            var tick = Larger(Smaller(_ping, _idle / 4), LeastPing);
            _pings.Change(tick, tick);
        }
    }

    /// <summary>Breaks the connection; the first reason stays.</summary>
    public void Abort(TransferException reason)
    {
        lock (_gate)
        {
            if (_fault is not null || _disposed) return;
            _fault = reason;
        }
        _in.Writer.CancelPendingFlush();
        _ = _broken.CancelAsync();
        _stream.Dispose();
    }

    /// <summary>
    /// Reads and discards input until the other side has ended, for a moment at most: closing a connection with unread input resets the
    /// connection, and the last message to the peer would be lost.
    /// </summary>
    public async ValueTask LingerAsync(TimeSpan most)
    {
        using var end = new CancellationTokenSource(most, _time);
        try
        {
            while (await Reader.ForgetAsync(end.Token).ConfigureAwait(false))
            {
                // Any error here comes too late to matter.
            }
        }
        catch (Exception e) when (e is OperationCanceledException or TransferException)
        {
            Abort(new TransferConnectionException(TransferError.Lost, "The connection is closed."));
        }
    }

    /// <summary>Sends the written bytes and signals the end.</summary>
    public async ValueTask CloseAsync()
    {
        await Writer.CompleteAsync().ConfigureAwait(false);
        try
        {
            await _writing.WaitAsync(FarewellTime, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            Abort(new TransferConnectionException(TransferError.Timeout, "The other side does not read any more."));
        }
    }

    public async ValueTask DisposeAsync()
    {
        Abort(new TransferConnectionException(TransferError.Lost, "The connection is closed."));
        lock (_gate)
        {
            if (_disposed) return;
            _disposed = true;
        }
        await _pings.DisposeAsync().ConfigureAwait(false);
        await _in.Reader.CompleteAsync().ConfigureAwait(false);
        await Writer.CompleteAsync().ConfigureAwait(false);
        await _stream.DisposeAsync().ConfigureAwait(false);
        try
        {
            await Task.WhenAll(_reading, _writing).WaitAsync(FarewellTime, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // Standard input can't be interrupted on some systems: a read ends when the writer at the other end does.
        }
    }

    private static PipeOptions Options(int ahead) =>
        new(pauseWriterThreshold: ahead, resumeWriterThreshold: ahead / 2, minimumSegmentSize: SegmentLength,
            useSynchronizationContext: false);

    private static TimeSpan Smaller(TimeSpan a, TimeSpan b) => a < b ? a : b;

    private static TimeSpan Larger(TimeSpan a, TimeSpan b) => a > b ? a : b;

    private static bool IsOfStream(Exception e) =>
        e is IOException or ObjectDisposedException or InvalidOperationException or OperationCanceledException
            or System.Net.Sockets.SocketException;

    private async Task ReadAsync()
    {
        try
        {
            while (true)
            {
                var memory = _in.Writer.GetMemory(ReadSize);
                Volatile.Write(ref _waitingSince, _time.GetTimestamp());
                var read = await _stream.ReadAsync(memory, Broken).ConfigureAwait(false);
                Volatile.Write(ref _waitingSince, 0);
                if (read == 0) break;
                _in.Writer.Advance(read);
                var flushed = await _in.Writer.FlushAsync(CancellationToken.None).ConfigureAwait(false);
                if (flushed.IsCompleted || flushed.IsCanceled) break;
            }
        }
        catch (Exception e) when (IsOfStream(e))
        {
            Abort(e as TransferException
                ?? new TransferConnectionException(TransferError.Lost, $"The connection was lost: {e.Message}", e));
        }
        await _in.Writer.CompleteAsync(Fault).ConfigureAwait(false);
    }

    private async Task WriteAsync()
    {
        try
        {
            while (true)
            {
                var result = await _out.Reader.ReadAsync(Broken).ConfigureAwait(false);
                foreach (var segment in result.Buffer) await _stream.WriteAsync(segment, Broken).ConfigureAwait(false);
                _out.Reader.AdvanceTo(result.Buffer.End);
                Volatile.Write(ref _spoke, _time.GetTimestamp());
                if (!result.IsCompleted)
                {
                    await _stream.FlushAsync(Broken).ConfigureAwait(false);
                    continue;
                }
                await EndAsync().ConfigureAwait(false);
                break;
            }
        }
        catch (Exception e) when (IsOfStream(e))
        {
            Abort(e as TransferException
                ?? new TransferConnectionException(TransferError.Lost, $"The connection was lost: {e.Message}", e));
        }
        await _out.Reader.CompleteAsync().ConfigureAwait(false);
    }

    // Signals the end, as far as the stream can.
    private async ValueTask EndAsync()
    {
        await _stream.FlushAsync(Broken).ConfigureAwait(false);
        if (_stream is IHalfClosing half) await half.EndWritesAsync(Broken).ConfigureAwait(false);
    }

    private void Tick()
    {
        var now = _time.GetTimestamp();
        var waiting = Volatile.Read(ref _waitingSince);
        if (waiting != 0 && _time.GetElapsedTime(waiting, now) >= _idle)
        {
            Abort(new TransferConnectionException(TransferError.Timeout,
                $"Nothing came from the other side for {_idle.TotalSeconds:0.###} s."));
            return;
        }
        if (_time.GetElapsedTime(Volatile.Read(ref _spoke), now) >= _ping * 0.9) _ = PingAsync();
    }

    private async Task PingAsync()
    {
        try
        {
            await Writer.PingAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (IsOfStream(e))
        {
            // The connection has ended, and its users get the error from their own reads and writes.
        }
    }
}
