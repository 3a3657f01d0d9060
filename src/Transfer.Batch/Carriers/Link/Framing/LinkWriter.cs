using System.IO.Pipelines;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>Puts messages on a connection. Thread-safe: each message stays whole.</summary>
internal sealed class LinkWriter : IDisposable
{
    /// <summary>The most bytes of an archive in one message, which with the header fills a segment of the pipe, and four records of
    /// TLS.</summary>
    public const int DataLength = LinkConnection.SegmentLength - LinkFrame.HeaderLength;

    private readonly PipeWriter _pipe;
    private readonly TimeProvider _time;
    private readonly Func<Exception> _fault;
    private readonly SemaphoreSlim _turn = new(1);
    private long _waited;

    /// <param name="pipe">The pipe that is sent.</param>
    /// <param name="time">The clock.</param>
    /// <param name="fault">Returns why nothing can be sent any more.</param>
    public LinkWriter(PipeWriter pipe, TimeProvider time, Func<Exception> fault)
    {
        _pipe = pipe;
        _time = time;
        _fault = fault;
    }

    /// <summary>How long writers have waited for the connection so far.</summary>
    public TimeSpan Waited => TimeSpan.FromTicks(Interlocked.Read(ref _waited));

    /// <summary>Writes a message.</summary>
    public async ValueTask WriteAsync<T>(T message, CancellationToken ct)
        where T : ILinkMessage<T>
    {
        await _turn.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            Put(message);
            await FlushAsync(ct).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Writes bytes of an archive, <see cref="DataLength"/> at most.</summary>
    public async ValueTask WriteDataAsync(ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        await _turn.WaitAsync(ct).ConfigureAwait(false);
        try
        {
            var to = _pipe.GetSpan(LinkFrame.HeaderLength + data.Length);
            LinkFrame.WriteHeader(to, LinkMessageType.ArchiveData, data.Length);
            data.Span.CopyTo(to[LinkFrame.HeaderLength..]);
            _pipe.Advance(LinkFrame.HeaderLength + data.Length);
            await FlushAsync(ct).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Sends a ping, unless another message is being sent.</summary>
    public async ValueTask PingAsync()
    {
        if (!await _turn.WaitAsync(0).ConfigureAwait(false)) return;
        try
        {
            Put(new PingMessage());
            await FlushAsync(CancellationToken.None).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Ends the writing.</summary>
    public async ValueTask CompleteAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            await _pipe.CompleteAsync().ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose() => _turn.Dispose();

    private void Put<T>(T message)
        where T : ILinkMessage<T>
    {
        var length = message.Length;
        var to = _pipe.GetSpan(LinkFrame.HeaderLength + length);
        LinkFrame.WriteHeader(to, T.Type, length);
        message.Write(to.Slice(LinkFrame.HeaderLength, length));
        _pipe.Advance(LinkFrame.HeaderLength + length);
    }

    private async ValueTask FlushAsync(CancellationToken ct)
    {
        var flush = _pipe.FlushAsync(ct);
        var waits = !flush.IsCompleted;
        var started = waits ? _time.GetTimestamp() : 0;
        var result = await flush.ConfigureAwait(false);
        if (waits) Interlocked.Add(ref _waited, _time.GetElapsedTime(started).Ticks);
        if (result.IsCompleted) throw _fault();
    }
}
