using Transfer.Local;

namespace Transfer.Batch.Carriers.Spool;

/// <summary>A number of the state that nobody else can change, or read, until it is let go of.</summary>
internal sealed class HeldNumber : IDisposable
{
    private readonly LockedFile _file;

    /// <param name="file">Its file, locked; belongs to this from here on.</param>
    /// <param name="value">The number.</param>
    public HeldNumber(LockedFile file, long value)
    {
        _file = file;
        Value = value;
    }

    public long Value { get; }

    public void Dispose() => _file.Dispose();
}
