namespace Transfer.Companions;

/// <summary>Bytes of a <see cref="ByteBudget"/>, returned once, when this is disposed of.</summary>
public sealed class BudgetShare : IDisposable
{
    private readonly bool _isInLine;
    private ByteBudget? _budget;

    /// <param name="bytes">The number of bytes.</param>
    /// <param name="budget">The budget of the bytes; null: another share answers for them.</param>
    /// <param name="isInLine">Whether the bytes were taken in line.</param>
    internal BudgetShare(long bytes, ByteBudget? budget = null, bool isInLine = false)
    {
        Bytes = bytes;
        _budget = budget;
        _isInLine = isInLine;
    }

    /// <summary>The number of bytes.</summary>
    public long Bytes { get; }

    /// <summary>Returns the bytes.</summary>
    public void Dispose() => Interlocked.Exchange(ref _budget, null)?.Return(Bytes, _isInLine);
}
