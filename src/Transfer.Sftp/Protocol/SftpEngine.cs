using System.Buffers;
using System.IO.Pipelines;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Carries requests over one channel: one writer drains a queue into the channel, one reader hands each reply to the request with its id.
/// Any number may be under way. When writer or reader ends, all waiting and later requests fail with the same reason.
/// </summary>
internal sealed partial class SftpEngine : IAsyncDisposable
{
    private const int FlushSize = 128 * 1024;
    private const int MostPooled = 1024;

    private readonly SshChannel _channel;
    private readonly ILogger _logger;
    private readonly Channel<SftpRequest> _queue = Channel.CreateUnbounded<SftpRequest>();
    private readonly TaskCompletionSource<SftpVersion> _version = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _gate = new();
    private readonly RequestTable _table = new();
    private readonly Stack<SftpRequest> _pool = new();
    private readonly ReplyWatch _watch;
    private readonly Task _writer;
    private readonly Task _reader;
    private TransferConnectionException? _fault;
    private long _heardAt;
    private SftpRequest? _unanswered; // the oldest one when the server was silent for too long
    private int _outstanding;
    private int _disposed;

    /// <summary>Takes over a channel and sends INIT (draft-ietf-secsh-filexfer-02 section 4).</summary>
    public SftpEngine(SshChannel channel, TimeSpan idleTimeout, TimeProvider time, ILogger logger, SftpBuffers buffers)
    {
        Buffers = buffers;
        _channel = channel;
        _logger = logger;
        _heardAt = time.GetTimestamp();
        _watch = new ReplyWatch(time, idleTimeout, () => Volatile.Read(ref _outstanding) > 0, () => EndIdle(idleTimeout));
        _outstanding = 1; // INIT's answer
        _watch.Begin();
        var output = channel.Output;
        output.WriteUInt32(5);
        output.WriteByte((byte)SftpPacketType.Init);
        output.WriteUInt32(SftpVersion.Ours);
        _writer = Task.Run(WriteAsync);
        _reader = Task.Run(ReadAsync);
    }

    public SftpBuffers Buffers { get; }

    /// <summary>The server's VERSION.</summary>
    public Task<SftpVersion> Version => _version.Task;

    /// <summary>The reason why no request can be sent any more, or null.</summary>
    public TransferConnectionException? Fault => Volatile.Read(ref _fault);

    /// <summary>Returns whether the session ended because the server did not answer a request, the oldest of those under way.</summary>
    public bool WasSilentTo(in PendingReply reply) => Volatile.Read(ref _unanswered) is { } request && reply.IsOf(request);

    /// <summary>The round trip of the connection, as measured at the key exchange.</summary>
    public TimeSpan RoundTrip => _channel.RoundTrip;

    /// <summary>The time stamp, by the session's clock, of the last bytes from the server.</summary>
    public long HeardAt => Volatile.Read(ref _heardAt);

    /// <summary>Completes with the session's end.</summary>
    public Task Ended => _ended.Task;

    /// <summary>A request to be filled in and given to <see cref="SendAsync"/>.</summary>
    public SftpRequest Rent(SftpPacketType type, SftpPacketType answer)
    {
        SftpRequest? request;
        lock (_pool) _pool.TryPop(out request);
        return (request ?? new SftpRequest(this)).Begin(type, answer);
    }

    /// <summary>
    /// Queues a request and returns the reply. Requests leave in the order of the calls. A cancellation ends the wait, not the request; a
    /// handle that arrives later is closed.
    /// </summary>
    /// <exception cref="TransferConnectionException">The session is lost.</exception>
    public PendingReply SendAsync(SftpRequest request, CancellationToken ct)
    {
        var reply = request.Reply;
        request.AbandonOn(ct);
        Enqueue(request);
        return reply;
    }

    /// <summary>Queues a request without a wait for the reply.</summary>
    public void Post(SftpRequest request)
    {
        request.IsDetached = true;
        Enqueue(request);
    }

    /// <summary>Expects a reply no more, which nothing awaits: one that comes all the same is dropped.</summary>
    public void Disregard(in PendingReply reply)
    {
        bool isUnderWay;
        lock (_gate) isUnderWay = _table.TryDisregard(reply);
        if (isUnderWay) OnReplyDone();
    }

    /// <summary>Ends the session: all waiting requests fail with this reason. The first reason stays.</summary>
    public void Fail(TransferConnectionException reason)
    {
        var waiting = new List<SftpRequest>();
        lock (_gate)
        {
            if (_fault is not null) return;
            Volatile.Write(ref _fault, reason);
            _table.Clear(waiting);
        }
        _queue.Writer.TryComplete();
        while (_queue.Reader.TryRead(out var unsent)) waiting.Add(unsent);
        _version.TrySetException(reason);
        _ = _version.Task.Exception; // whoever opens the session awaits it; later losses have nobody there
        foreach (var request in waiting) request.Fail(reason);
        _ended.TrySetResult();
        _channel.Input.CancelPendingRead();
        _channel.Output.CancelPendingFlush();
    }

    /// <summary>Returns the reply of a request that is not sent, as the server would refuse it.</summary>
    public static PendingReply Refuse(SftpRequest request)
    {
        var reply = request.Reply;
        request.TryComplete(new SftpReply { Status = SftpStatus.Unsupported });
        return reply;
    }

    /// <summary>Closes the channel.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        Fail(new TransferConnectionException(TransferError.Lost, "The session is closed."));
        await _channel.DisposeAsync().ConfigureAwait(false);
        await Task.WhenAll(_writer, _reader).ConfigureAwait(false);
        _watch.Dispose();
    }

    /// <summary>Takes back a request after its reply. After a fault requests may still be in use, and are left to the collector.</summary>
    internal void Recycle(SftpRequest request)
    {
        lock (_pool)
        {
            if (Fault is not null || _pool.Count == MostPooled) return;
            request.Reset();
            _pool.Push(request);
        }
    }

    private void Enqueue(SftpRequest request)
    {
        if (Interlocked.Increment(ref _outstanding) == 1) _watch.Begin();
        if (_queue.Writer.TryWrite(request)) return;
        // Complete only after the fault is set.
        request.Fail(Fault!);
    }

    // All waits are here and none deeper: an async method that waits once a request allocates one object a request.
    private async Task WriteAsync()
    {
        var output = _channel.Output;
        try
        {
            var written = true; // INIT
            while (true)
            {
                if (written)
                {
                    var flushed = await output.FlushAsync().ConfigureAwait(false);
                    _watch.Touch();
                    if (flushed.IsCompleted) throw Closed();
                }
                else if (!await _queue.Reader.WaitToReadAsync().ConfigureAwait(false))
                {
                    return;
                }
                written = WriteSome(output);
            }
        }
        catch (Exception e)
        {
            Fail(e as TransferConnectionException ?? new TransferConnectionException($"Sending failed: {e.Message}", e));
        }
    }

    // What the server wrote to standard error may be the reason: an expired password, a shell that refuses.
    private TransferConnectionException Closed(string where = "")
    {
        var said = _channel.Show(_channel.ErrorText);
        return new($"The server closed the SFTP channel{where}.{(said.Length > 0 ? $" The server says: {said}" : string.Empty)}");
    }

    // Sends several requests together. False: the queue was empty.
    private bool WriteSome(PipeWriter output)
    {
        var unflushed = 0;
        while (unflushed < FlushSize && _queue.Reader.TryRead(out var request)) unflushed += Write(output, request);
        return unflushed > 0;
    }

    // Under the lock to the last byte: a reply to an id that the server only guessed must not free a request still being written.
    private int Write(PipeWriter output, SftpRequest request)
    {
        lock (_gate)
        {
            if (_fault is null && !request.IsAbandoned)
            {
                var content = request.Content;
                var fields = request.FieldBytes;
                var length = 5 + fields.Length + content.Count;
                output.WriteUInt32((uint)length);
                output.WriteByte((byte)request.Type);
                var id = _table.Add(request);
                output.WriteUInt32(id);
                SftpTrace.Sent(_logger, request, id);
                output.Write(fields);
                output.Write(content.AsSpan());
                Buffers.Return(content.Array);
                return 4 + length;
            }
        }
        if (_fault is { } fault) request.Fail(fault);
        else OnReplyDone();
        return 0;
    }

    // A request that stays without a reply, though one sent later was answered, is ignored by the server.
    private void EndIdle(TimeSpan limit)
    {
        SftpPacketType? unanswered;
        bool isIgnored;
        lock (_gate)
        {
            var oldest = _table.FindOldest(out isIgnored);
            Volatile.Write(ref _unanswered, oldest);
            unanswered = oldest?.Type;
        }
        if (unanswered is SftpPacketType.SetStat or SftpPacketType.FSetStat) AttributesUnanswered?.Invoke(unanswered.Value, !isIgnored);
        var request = unanswered is { } type ? $" and has not answered {type.ToString().ToUpperInvariant()}" : string.Empty;
        Fail(new TransferConnectionException(TransferError.Timeout, $"The server was silent for {limit}{request}."));
    }

    private void OnReplyDone() => Interlocked.Decrement(ref _outstanding);
}
