using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>
/// The limits of a run (<c>--max-duration</c>, <c>--max-transfer</c>): beyond one no file begins any more, and those under way are
/// finished.
/// </summary>
internal sealed class RunLimits(Invocation invocation) : IItemOutput, IDisposable
{
    private readonly long? _mostBytes = invocation.Size(invocation.Options.MaxTransfer) is var most and not 0 ? most
        : throw new UsageException($"{invocation.Options.MaxTransfer.Name} wants more than 0 bytes.");
    private readonly TimeSpan? _longest = invocation.Duration(invocation.Options.MaxDuration);
    private CancellationTokenSource? _end;
    private long _bytes;
    private string? _reason;

    /// <summary>The limit that has ended the run; null: none has.</summary>
    public string? Reason => Volatile.Read(ref _reason);

    /// <summary>Begins to count time, and returns the token that fires at a limit, or with the caller's.</summary>
    public CancellationToken Begin(CancellationToken ct)
    {
        if (_mostBytes is null && _longest is null) return ct;
        _end = CancellationTokenSource.CreateLinkedTokenSource(ct);
        if (_longest is { } longest) _ = EndAfterAsync(longest, _end);
        return _end.Token;
    }

    public void Write(ItemEvent item)
    {
        if (ItemText.Bytes(item) is { } bytes && Interlocked.Add(ref _bytes, bytes) >= _mostBytes) End("--max-transfer is reached");
    }

    public void Dispose() => _end?.Dispose();

    private async Task EndAfterAsync(TimeSpan longest, CancellationTokenSource end)
    {
        await Task.Delay(longest, invocation.Host.TimeProvider, end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!end.IsCancellationRequested) End("--max-duration has passed");
    }

    private void End(string reason)
    {
        if (_end is not { } end || Interlocked.CompareExchange(ref _reason, reason, null) is not null) return;
        // Not on the thread of the item: what is cancelled runs on the canceller's.
        _ = end.CancelAsync();
    }
}
