namespace Transfer.Tests.Sftp.Ssh;

/// <summary>
/// What this thread allocates from here on. A thread takes memory from the heap a few KiB at a time; a collection that any thread starts
/// takes
/// the rest of it away, and the runtime counts that rest as allocated.
/// </summary>
internal readonly struct AllocationMeter
{
    private readonly TimeSpan _paused;
    private readonly long _before;

    private AllocationMeter(TimeSpan paused, long before) => (_paused, _before) = (paused, before);

    public static AllocationMeter Start() => new(GC.GetTotalPauseDuration(), GC.GetAllocatedBytesForCurrentThread());

    /// <summary>The bytes; null: there was a collection meanwhile, and nobody knows.</summary>
    public long? Stop()
    {
        var bytes = GC.GetAllocatedBytesForCurrentThread() - _before;
        return GC.GetTotalPauseDuration() == _paused ? bytes : null;
    }
}
