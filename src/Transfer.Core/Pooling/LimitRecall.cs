using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>The time until a pool knows what is remembered of its server's limit. Called under the pool's lock.</summary>
/// <param name="isRemembered">The limit is remembered somewhere, and is to be read; false: there is nothing to wait for.</param>
internal sealed class LimitRecall(bool isRemembered)
{
    private bool _hasBegun;
    private bool _hasEnded;
    private (int Count, WorkKind? Expected) _ahead;

    /// <summary>It is not known yet. The first session is being opened meanwhile, which takes longer.</summary>
    public bool IsPending => isRemembered && !_hasEnded;

    /// <summary>
    /// So many sessions are wanted ahead of those who will ask for them: more than one is opened only when the limit is known.
    /// </summary>
    public void Want(int count, WorkKind? expected)
    {
        if (IsPending) _ahead = (Math.Max(count, _ahead.Count), expected ?? _ahead.Expected);
    }

    /// <summary>True once: it is to be read now.</summary>
    public bool TryBegin()
    {
        if (!isRemembered || _hasBegun) return false;
        return _hasBegun = true;
    }

    /// <summary>It is known now, or nothing is.</summary>
    /// <returns>What was wanted ahead.</returns>
    public (int Count, WorkKind? Expected) End()
    {
        _hasEnded = true;
        return _ahead;
    }
}
