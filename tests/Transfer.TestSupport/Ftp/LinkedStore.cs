using Transfer.Testing;

namespace Transfer.TestSupport.Ftp;

/// <summary>Two names of one file, of which the first rename of one onto the other does nothing and succeeds, as rename(2).</summary>
/// <param name="inner">The files.</param>
/// <param name="first">One name.</param>
/// <param name="second">The other name.</param>
internal sealed class LinkedStore(ITestStore inner, string first, string second) : StoreFront(inner)
{
    private int _moves;

    public override ValueTask MoveAsync(string from, string to, bool replace = true, CancellationToken ct = default) =>
        (from, to) == (first, second) && Interlocked.Increment(ref _moves) == 1 ? default : base.MoveAsync(from, to, replace, ct);
}
