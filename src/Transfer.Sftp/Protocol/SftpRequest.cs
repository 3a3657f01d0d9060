using System.Buffers;
using System.Threading.Tasks.Sources;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// One request and the completion that the reply sets. Pooled: a READ or WRITE in a steady transfer allocates nothing. A continuation runs
/// on the thread pool, never on the reader's loop.
/// </summary>
internal sealed class SftpRequest : IValueTaskSource<SftpReply>, IThreadPoolWorkItem
{
    private const int Pending = 0;
    private const int Completed = 1;
    private const int Abandoned = 2;

    private readonly SftpEngine _engine;
    private ArrayBufferWriter<byte> _fields = new(64);
    private ManualResetValueTaskSourceCore<SftpReply> _core;
    private CancellationTokenRegistration _registration;
    private SftpReply _reply;
    private Exception? _error;
    private int _state;
    private bool _awaited;

    public SftpRequest(SftpEngine engine) => _engine = engine;

    public SftpPacketType Type { get; private set; }

    /// <summary>The reply's type, when not STATUS.</summary>
    public SftpPacketType ReplyType { get; private set; }

    /// <summary>The bytes that a READ requests. A server that sends more breaks the protocol.</summary>
    public int RequestedBytes { get; set; }

    /// <summary>The content after the fields, in a buffer that the engine returns to the pool; default: none.</summary>
    public ArraySegment<byte> Content { get; private set; }

    /// <summary>Whether no caller awaits the reply.</summary>
    public bool IsDetached { get; set; }

    /// <summary>The fields after the id, written by the creator of the request.</summary>
    public IBufferWriter<byte> Fields => _fields;

    public ReadOnlySpan<byte> FieldBytes => _fields.WrittenSpan;

    public bool IsAbandoned => Volatile.Read(ref _state) == Abandoned;

    public SftpRequest Begin(SftpPacketType type, SftpPacketType answer)
    {
        Type = type;
        ReplyType = answer;
        return this;
    }

    public void Attach(byte[] content, int length) => Content = new(content, 0, length);

    /// <summary>The reply of this use.</summary>
    public PendingReply Reply => new(this, Use);

    /// <summary>The number of this use.</summary>
    public short Use => _core.Version;

    /// <summary>Lets a caller's cancellation end the wait. The reply is still expected, and dropped on arrival.</summary>
    public void AbandonOn(CancellationToken ct)
    {
        if (ct.CanBeCanceled) _registration = ct.UnsafeRegister(static (request, token) => ((SftpRequest)request!).Abandon(token), this);
    }

    /// <summary>Completes the wait; false when the waiter has gone.</summary>
    public bool TryComplete(in SftpReply reply)
    {
        if (Interlocked.CompareExchange(ref _state, Completed, Pending) != Pending) return false;
        _reply = reply;
        Signal();
        return true;
    }

    public void Fail(Exception error)
    {
        if (Interlocked.CompareExchange(ref _state, Completed, Pending) != Pending || IsDetached) return;
        _error = error;
        Signal();
    }

    /// <summary>Clears the request for another use.</summary>
    public void Reset()
    {
        _fields.ResetWrittenCount();
        if (_fields.Capacity > 4096) _fields = new(64);
        _core.Reset();
        _registration = default;
        _reply = default;
        _error = null;
        _state = Pending;
        _awaited = false;
        RequestedBytes = 0;
        Content = default;
        IsDetached = false;
    }

    public SftpReply GetResult(short token)
    {
        _registration.Dispose();
        var reply = _core.GetResult(token);
        _engine.Recycle(this);
        return reply;
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        Volatile.Write(ref _awaited, true);
        _core.OnCompleted(continuation, state, token, flags);
    }

    void IThreadPoolWorkItem.Execute() => Set();

    private void Abandon(CancellationToken token)
    {
        if (Interlocked.CompareExchange(ref _state, Abandoned, Pending) != Pending) return;
        _error = new OperationCanceledException(token);
        Signal();
    }

    // A reply that arrives before the wait needs no other thread.
    private void Signal()
    {
        if (Volatile.Read(ref _awaited)) ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        else Set();
    }

    private void Set()
    {
        if (_error is not null) _core.SetException(_error);
        else _core.SetResult(_reply);
    }
}
