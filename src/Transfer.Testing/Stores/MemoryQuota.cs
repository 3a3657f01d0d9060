namespace Transfer.Testing.Stores;

/// <summary>The bytes a <see cref="MemoryStore"/> may hold.</summary>
internal sealed class MemoryQuota
{
    private readonly long? _capacity;
    private long _used;

    public MemoryQuota(long? capacity) => _capacity = capacity;

    public long? Free => _capacity - Interlocked.Read(ref _used);

    public void Take(long bytes)
    {
        if (Interlocked.Add(ref _used, bytes) <= (_capacity ?? long.MaxValue)) return;
        Interlocked.Add(ref _used, -bytes);
        throw DiskFull.Create();
    }

    public void Return(long bytes) => Interlocked.Add(ref _used, -bytes);
}
