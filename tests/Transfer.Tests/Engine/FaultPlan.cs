namespace Transfer.Tests.Engine;

/// <summary>What goes wrong at a <see cref="MemoryStore"/>, and when. Operations are counted over all sessions.</summary>
internal sealed class FaultPlan
{
    private readonly Dictionary<string, int> _counts = [];
    private readonly List<(string Operation, Func<string, bool> Path, int Nth, Fault Fault)> _faults = [];
    private long _bytes;
    private long _cutAt = long.MaxValue;

    /// <summary>The nth operation of a kind (from 1) whose path matches fails.</summary>
    public void On(string operation, Fault fault, int nth = 1, Func<string, bool>? path = null) =>
        _faults.Add((operation, path ?? (_ => true), nth, fault));

    /// <summary>The session that moves the nth byte from now is lost at it.</summary>
    public void CutAtByte(long n)
    {
        lock (_faults) _cutAt = _bytes + n;
    }

    /// <summary>No session is lost at a byte any more.</summary>
    public void CutNowhere()
    {
        lock (_faults) _cutAt = long.MaxValue;
    }

    /// <summary>How often an operation was asked for.</summary>
    public int Count(string operation)
    {
        lock (_faults) return _counts.GetValueOrDefault(operation);
    }

    public Fault? Next(string operation, string path)
    {
        lock (_faults)
        {
            _counts[operation] = _counts.GetValueOrDefault(operation) + 1;
            Fault? next = null;
            for (var i = 0; i < _faults.Count; i++)
            {
                var (kind, matches, nth, fault) = _faults[i];
                if (kind != operation || !matches(path)) continue;
                _faults[i] = (kind, matches, nth - 1, fault);
                if (nth == 1) next ??= fault;
            }
            return next;
        }
    }

    /// <summary>How many of the bytes may still pass; fewer than asked: the session is lost after them.</summary>
    public int Pass(int bytes)
    {
        lock (_faults)
        {
            var passed = (int)Math.Min(bytes, Math.Max(0, _cutAt - _bytes));
            _bytes += passed;
            if (passed < bytes) _cutAt = long.MaxValue;
            return passed;
        }
    }
}

/// <summary>One thing that goes wrong.</summary>
internal sealed record Fault
{
    /// <summary>Refuses the operation; the session stays usable.</summary>
    public TransferException? Refuse { get; init; }

    /// <summary>Loses the session before anything is done.</summary>
    public bool LoseBefore { get; init; }

    /// <summary>Does the operation and loses the session before the answer.</summary>
    public bool LoseAfter { get; init; }

    /// <summary>Runs in the operation.</summary>
    public Func<CancellationToken, Task>? Hold { get; init; }

    /// <summary>Runs behind the operation, before its answer.</summary>
    public Func<CancellationToken, Task>? HoldAfter { get; init; }

    public static Fault Refusal(TransferError error) => new() { Refuse = new TransferException(error, $"scripted: {error}") };
}
