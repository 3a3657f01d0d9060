namespace Transfer.Pooling;

/// <summary>
/// Spares a server that worked before and cannot be reached now: while the circuit is open, one opening at a time tries, later
/// each time. Not thread-safe: the pool's lock guards this.
/// </summary>
internal sealed class OpeningCircuit
{
    private readonly RetryOptions _retry;
    private readonly TimeProvider _time;
    private int _failures;
    private bool _trying;
    private long _failed;
    private TimeSpan _delay;

    public OpeningCircuit(RetryOptions retry, TimeProvider time)
    {
        _retry = retry;
        _time = time;
    }

    /// <summary>Whether openings failed, and none has succeeded since.</summary>
    public bool IsOpen => _failures > 0;

    /// <summary>The error of the last failed opening; null: the circuit is closed.</summary>
    public TransferException? Reason { get; private set; }

    /// <summary>Whether all allowed attempts have failed.</summary>
    public bool IsExhausted => _failures >= _retry.Attempts;

    /// <summary>The time until the next opening may try; null: any may.</summary>
    public TimeSpan? UntilTry => IsOpen ? _delay - _time.GetElapsedTime(_failed) : null;

    /// <summary>Notes that an opening begins.</summary>
    public void Try() => _trying = IsOpen;

    /// <summary>Notes a failed opening. Openings that began together with the first failure count as one.</summary>
    public void Fail(TransferException error)
    {
        Reason = error;
        if (IsOpen && !_trying) return;
        _trying = false;
        _failures++;
        _failed = _time.GetTimestamp();
        _delay = _retry.DelayAfter(_failures, Random.Shared.NextDouble());
    }

    /// <summary>Closes the circuit: an opening succeeded, or all waiters got the error.</summary>
    public void Close()
    {
        _failures = 0;
        _trying = false;
        Reason = null;
    }
}
