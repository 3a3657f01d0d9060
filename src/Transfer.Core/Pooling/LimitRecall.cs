using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>The time until a pool has read the remembered limit of its server. Called under the pool's lock.</summary>
/// <param name="isRemembered">Whether a memory of the limit is to be read; false: no wait.</param>
internal sealed class LimitRecall(bool isRemembered)
{
    private bool _hasBegun;
    private bool _hasEnded;
    private (int Count, WorkKind? Expected) _ahead;

    /// <summary>Whether the limit is still being read. The first session is opened meanwhile, which takes longer.</summary>
    public bool IsPending => isRemembered && !_hasEnded;

    /// <summary>
    /// Notes how many sessions are wanted ahead of their requests: more than one is opened only when the limit is known.
    /// </summary>
    public void RequestAhead(int count, WorkKind? expected)
    {
        if (IsPending) _ahead = (Math.Max(count, _ahead.Count), expected ?? _ahead.Expected);
    }

    /// <summary>Returns true once, when the reading is to begin.</summary>
    public bool TryBegin()
    {
        if (!isRemembered || _hasBegun) return false;
        return _hasBegun = true;
    }

    /// <summary>Ends the reading, with a limit or without.</summary>
    /// <returns>The sessions wanted ahead.</returns>
    public (int Count, WorkKind? Expected) Complete()
    {
        _hasEnded = true;
        return _ahead;
    }
}
