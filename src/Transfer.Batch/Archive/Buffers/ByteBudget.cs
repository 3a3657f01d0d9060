namespace Transfer.Batch.Archive.Buffers;

/// <summary>
/// Bytes of a job that may be in memory, over all its lanes. Beside the engine's <see cref="Transfer.Engine.BufferRoom"/> it has a line: an archive can't be packed or opened with less than
/// that takes. Whoever had his turn needs no other to go on, so the line moves; what is taken beside it leaves it a quarter. Thread-safe.
/// </summary>
/// <param name="bytes">All there are.</param>
internal sealed class ByteBudget(long bytes)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<(long Bytes, TaskCompletionSource<BudgetShare> Turn)> _line = [];
    private long _inLine; // held by those who had their turn
    private long _beside;
    private long _peak;

    /// <summary>All there are.</summary>
    public long Bytes => bytes;

    /// <summary>Bytes that are taken, and the most that have been.</summary>
    public (long Now, long Peak) Used
    {
        get { lock (_gate) return (_inLine + _beside, _peak); }
    }

    /// <summary>Waits its turn for so much. Where nobody else has had a turn it is given whatever it is: one can always go on.</summary>
    /// <param name="wanted">Bytes. Whoever has a share of the line already must not want another.</param>
    /// <param name="ct">Leaves the line.</param>
    public async ValueTask<BudgetShare> TakeAsync(long wanted, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        LinkedListNode<(long Bytes, TaskCompletionSource<BudgetShare> Turn)> place;
        lock (_gate)
        {
            if (_line.Count == 0 && Fits(wanted)) return Give(wanted, isInLine: true);
            place = _line.AddLast((wanted, new(TaskCreationOptions.RunContinuationsAsynchronously)));
        }
        var leaving = ct.UnsafeRegister(_ => Leave(place, ct), null);
        await using var registered = leaving.ConfigureAwait(false);
        return await place.Value.Turn.Task.ConfigureAwait(false);
    }

    /// <summary>So much beside the line, or null. Whoever gets none does without, and waits for nothing.</summary>
    public BudgetShare? TryTake(long wanted)
    {
        lock (_gate) return _line.Count == 0 && _beside + wanted <= bytes - (bytes / 4) && _inLine + _beside + wanted <= bytes ? Give(wanted, isInLine: false) : null;
    }

    /// <summary>What a share had.</summary>
    public void Return(long count, bool isInLine)
    {
        lock (_gate)
        {
            if (isInLine) _inLine -= count;
            else _beside -= count;
            Advance();
        }
    }

    private bool Fits(long wanted) => _inLine == 0 || _inLine + _beside + wanted <= bytes;

    private BudgetShare Give(long count, bool isInLine)
    {
        if (isInLine) _inLine += count;
        else _beside += count;
        _peak = Math.Max(_peak, _inLine + _beside);
        return new BudgetShare(this, count, isInLine);
    }

    private void Advance()
    {
        while (_line.First is { } next && Fits(next.Value.Bytes))
        {
            _line.RemoveFirst();
            next.Value.Turn.SetResult(Give(next.Value.Bytes, isInLine: true));
        }
    }

    private void Leave(LinkedListNode<(long Bytes, TaskCompletionSource<BudgetShare> Turn)> place, CancellationToken ct)
    {
        lock (_gate)
        {
            // Its turn had come.
            if (place.List is null) return;
            _line.Remove(place);
            Advance();
        }
        place.Value.Turn.SetCanceled(ct);
    }
}
