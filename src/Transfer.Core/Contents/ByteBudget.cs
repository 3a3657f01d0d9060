namespace Transfer.Companions;

/// <summary>
/// Bytes that may be in memory, shared by several users, and taken in two ways. In line each taker waits for a turn, for work that can't be
/// done with less, as packing an archive: the holder of a turn needs no other turn to go on, so the line moves. Beside the line bytes are
/// taken or not, without a wait; a part of all bytes is reserved for the line. Thread-safe.
/// </summary>
public sealed class ByteBudget
{
    private readonly long _reserved;
    private readonly Lock _gate = new();
    private readonly LinkedList<(long Bytes, TaskCompletionSource<BudgetShare> Turn)> _line = [];
    private long _inLine; // bytes of the shares in line
    private long _beside;
    private long _peak;

    /// <summary>Creates a budget.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="reserved">The bytes that are taken in line only; null: a quarter.</param>
    public ByteBudget(long bytes, long? reserved = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        Bytes = bytes;
        _reserved = reserved ?? bytes / 4;
    }

    /// <summary>The number of bytes, free or taken.</summary>
    public long Bytes { get; }

    /// <summary>The number of bytes that are taken, and the most that were taken at a time.</summary>
    public (long Now, long Peak) Used
    {
        get { lock (_gate) return (_inLine + _beside, _peak); }
    }

    /// <summary>Waits in line for bytes. While no share of the line is held, any number is given: one taker can always go on.</summary>
    /// <param name="wanted">The number of bytes. The holder of a share of the line must not want another.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask<BudgetShare> TakeAsync(long wanted, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        LinkedListNode<(long Bytes, TaskCompletionSource<BudgetShare> Turn)> place;
        lock (_gate)
        {
            if (_line.Count == 0 && Fits(wanted)) return Give(wanted, isInLine: true);
            place = _line.AddLast((wanted, new(TaskCreationOptions.RunContinuationsAsynchronously)));
        }
        var leaving = cancellationToken.UnsafeRegister(_ => Leave(place, cancellationToken), null);
        await using var registered = leaving.ConfigureAwait(false);
        return await place.Value.Turn.Task.ConfigureAwait(false);
    }

    /// <summary>Takes bytes beside the line; null: too few are free, or takers wait in line.</summary>
    /// <param name="wanted">The number of bytes.</param>
    public BudgetShare? TryTake(long wanted)
    {
        lock (_gate)
        {
            var isFree = _line.Count == 0 && _beside + wanted <= Bytes - _reserved && _inLine + _beside + wanted <= Bytes;
            return isFree ? Give(wanted, isInLine: false) : null;
        }
    }

    /// <summary>
    /// Takes as many bytes beside the line as are free, by halves from <paramref name="most"/> on. Where fewer than
    /// <paramref name="least"/> are free, the share has <paramref name="least"/> all the same, uncounted, so that nothing waits for ever.
    /// </summary>
    public BudgetShare Take(long most, long least)
    {
        for (var wanted = most; wanted >= least; wanted /= 2)
        {
            if (TryTake(wanted) is { } share) return share;
        }
        return new BudgetShare(least);
    }

    /// <summary>Takes back the bytes of a share.</summary>
    internal void Return(long count, bool isInLine)
    {
        lock (_gate)
        {
            if (isInLine) _inLine -= count;
            else _beside -= count;
            Advance();
        }
    }

    private bool Fits(long wanted) => _inLine == 0 || _inLine + _beside + wanted <= Bytes;

    private BudgetShare Give(long count, bool isInLine)
    {
        if (isInLine) _inLine += count;
        else _beside += count;
        _peak = Math.Max(_peak, _inLine + _beside);
        return new BudgetShare(count, this, isInLine);
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
            // The share was given before the cancellation.
            if (place.List is null) return;
            _line.Remove(place);
            Advance();
        }
        place.Value.Turn.SetCanceled(ct);
    }
}
