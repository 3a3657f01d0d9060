namespace Transfer.Batch.Archive.Packing;

/// <summary>A file that is larger than an archive and travels in slices. Thread-safe.</summary>
/// <param name="number">Its number in the job.</param>
/// <param name="length">Its length when it was planned.</param>
/// <param name="slices">In how many it was cut.</param>
internal sealed class SlicedSource(long number, long length, int slices)
{
    private const int Begun = 1;
    private const int Ended = 2;

    private int _missing = slices;
    private int _state;

    public long Number => number;

    public long Length => length;

    /// <summary>It was told how it ended, or it begins anew under another number: its other slices are left out.</summary>
    public bool IsEnded => Volatile.Read(ref _state) == Ended;

    /// <summary>A slice is about to be packed; false: it has ended.</summary>
    public bool TryBegin() => Interlocked.CompareExchange(ref _state, Begun, 0) != Ended;

    /// <summary>Ends it unless a slice was begun; false: one was, or it had ended before.</summary>
    public bool TryLeave() => Interlocked.CompareExchange(ref _state, Ended, 0) == 0;

    /// <summary>Ends it; false: it had ended before.</summary>
    public bool TryEnd() => Interlocked.Exchange(ref _state, Ended) != Ended;

    /// <summary>The receiver has one slice more; true: it has all.</summary>
    public bool Confirm() => Interlocked.Decrement(ref _missing) == 0;
}
