namespace Transfer.Batch.Archive.Packing;

/// <summary>A file that is larger than an archive and travels in slices. Thread-safe.</summary>
/// <param name="number">The file's number in the job.</param>
/// <param name="length">The file's length when planned.</param>
/// <param name="slices">The number of slices.</param>
internal sealed class SlicedSource(long number, long length, int slices)
{
    private const int Begun = 1;
    private const int Ended = 2;

    private int _missing = slices;
    private int _state;

    public long Number => number;

    public long Length => length;

    /// <summary>Whether the file's result was reported, or the file begins anew under another number: the other slices are left
    /// out.</summary>
    public bool IsEnded => Volatile.Read(ref _state) == Ended;

    /// <summary>Begins a slice; false: the file has ended.</summary>
    public bool TryBegin() => Interlocked.CompareExchange(ref _state, Begun, 0) != Ended;

    /// <summary>Ends the file unless a slice was begun; false: one was, or the file had ended before.</summary>
    public bool TryPostpone() => Interlocked.CompareExchange(ref _state, Ended, 0) == 0;

    /// <summary>Ends the file; false: the file had ended before.</summary>
    public bool TryEnd() => Interlocked.Exchange(ref _state, Ended) != Ended;

    /// <summary>Counts a slice that the receiver has; true: the last one.</summary>
    public bool Confirm() => Interlocked.Decrement(ref _missing) == 0;
}
