namespace Transfer.Batch.Archive.Buffers;

/// <summary>Some of a <see cref="ByteBudget"/>, given back once.</summary>
/// <param name="budget">Where it was taken.</param>
/// <param name="bytes">How much.</param>
/// <param name="isInLine">It was waited for in line.</param>
internal sealed class BudgetShare(ByteBudget budget, long bytes, bool isInLine) : IDisposable
{
    private ByteBudget? _budget = budget;

    public void Dispose() => Interlocked.Exchange(ref _budget, null)?.Return(bytes, isInLine);
}
