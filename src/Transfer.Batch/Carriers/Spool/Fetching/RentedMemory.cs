using System.Buffers;

namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>
/// A stream in an array that others had and will have again. Made anew for each archive, arrays of this length would lie about by the hundred megabytes until the runtime looks for them.
/// </summary>
internal sealed class RentedMemory : MemoryStream
{
    private byte[]? _array;

    private RentedMemory(byte[] array)
        : base(array, 0, array.Length, writable: true)
    {
        _array = array;
        SetLength(0);
    }

    /// <summary>An empty one.</summary>
    /// <param name="capacity">Most bytes; it does not grow.</param>
    public static RentedMemory Of(int capacity) => new(ArrayPool<byte>.Shared.Rent(capacity));

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        if (Interlocked.Exchange(ref _array, null) is { } array) ArrayPool<byte>.Shared.Return(array);
    }
}
