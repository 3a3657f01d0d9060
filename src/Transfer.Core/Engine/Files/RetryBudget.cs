namespace Transfer.Engine.Files;

/// <summary>
/// The retries that all files of one job share, so that failing files are not tried for ever; each file that arrives earns one back.
/// Thread-safe.
/// </summary>
internal sealed class RetryBudget
{
    private readonly Lock _gate = new();
    private readonly int _most;
    private int _left;

    /// <param name="most">The number at first, and the most ever.</param>
    public RetryBudget(int most) => _most = _left = most;

    /// <summary>Takes one retry. False: none is left.</summary>
    public bool TryTake()
    {
        lock (_gate)
        {
            if (_left == 0) return false;
            _left--;
            return true;
        }
    }

    /// <summary>Earns a retry for a file that has arrived.</summary>
    public void Earn()
    {
        lock (_gate) _left = Math.Min(_left + 1, _most);
    }
}
