using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A number of the state, locked against changes and reads by other processes until disposed of.</summary>
internal sealed class HeldNumber : IDisposable
{
    private readonly LockedFile _file;

    /// <param name="file">The number's file, locked; owned by the new object from here on.</param>
    /// <param name="value">The number.</param>
    public HeldNumber(LockedFile file, long value)
    {
        _file = file;
        Value = value;
    }

    public long Value { get; }

    public void Dispose() => _file.Dispose();
}
