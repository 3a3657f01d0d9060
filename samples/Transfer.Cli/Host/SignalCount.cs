using System.Runtime.InteropServices;

namespace Transfer.Cli.Host;

/// <summary>Counts the signals that ask the command to end. Thread-safe.</summary>
internal sealed class SignalCount(TimeProvider time)
{
    // timeout(1) and other wrappers signal the command, and then the group that the command is in: two signals at once mean one.
    private static readonly TimeSpan Echo = TimeSpan.FromSeconds(0.5);

    private readonly Lock _gate = new();
    private PosixSignal _last;
    private long _lastAt;
    private int _count;

    /// <summary>Counts a signal, unless it repeats the last one that counted within half a second.</summary>
    /// <returns>The signals so far; 0: this one does not count.</returns>
    public int Add(PosixSignal signal)
    {
        lock (_gate)
        {
            if (_count > 0 && signal == _last && time.GetElapsedTime(_lastAt) < Echo) return 0;
            (_last, _lastAt) = (signal, time.GetTimestamp());
            return ++_count;
        }
    }

    /// <summary>Begins anew.</summary>
    public void Reset()
    {
        lock (_gate) _count = 0;
    }
}
