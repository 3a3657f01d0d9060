namespace Transfer.Engine.Operations;

/// <summary>The memory for entries of directories that a walk lists before their turn. Thread-safe.</summary>
/// <param name="most">Bytes.</param>
internal sealed class AheadRoom(long most)
{
    private long _used;

    /// <summary>Takes bytes; false: too few are left.</summary>
    /// <param name="bytes">The number.</param>
    /// <param name="insists">Takes them in any case.</param>
    public bool TryTake(long bytes, bool insists)
    {
        if (Interlocked.Add(ref _used, bytes) <= most || insists) return true;
        Interlocked.Add(ref _used, -bytes);
        return false;
    }

    /// <summary>Gives bytes back.</summary>
    public void Return(long bytes) => Interlocked.Add(ref _used, -bytes);

    /// <summary>Whether less than half is in use.</summary>
    public bool IsRoomy => Volatile.Read(ref _used) < most / 2;
}
