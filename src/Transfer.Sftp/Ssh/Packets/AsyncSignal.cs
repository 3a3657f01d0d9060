using System.Threading.Tasks.Sources;

namespace Transfer.Sftp.Ssh.Packets;

/// <summary>
/// Wakes one waiting task; a signal before the wait is kept, several count as one. Allocates nothing after the creation.
/// </summary>
internal sealed class AsyncSignal : IValueTaskSource
{
    private const int Idle = 0;
    private const int Given = 1;
    private const int Waiting = 2;

    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private int _state;

    public void Set()
    {
        while (true)
        {
            switch (Volatile.Read(ref _state))
            {
                case Given:
                    return;
                case Idle when Interlocked.CompareExchange(ref _state, Given, Idle) == Idle:
                    return;
                case Waiting when Interlocked.CompareExchange(ref _state, Idle, Waiting) == Waiting:
                    _core.SetResult(true);
                    return;
            }
        }
    }

    /// <summary>Completes at the next signal. One waiter at a time.</summary>
    public ValueTask WaitAsync()
    {
        if (Interlocked.CompareExchange(ref _state, Idle, Given) == Given) return default;
        _core.Reset();
        var version = _core.Version;
        if (Interlocked.CompareExchange(ref _state, Waiting, Idle) == Idle) return new ValueTask(this, version);

        // Given in between.
        Volatile.Write(ref _state, Idle);
        return default;
    }

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
