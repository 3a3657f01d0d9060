namespace Transfer.Testing.Faults;

/// <summary>The fault that strikes the content of one open file in one direction, and how much of the content has gone by.</summary>
internal sealed class ContentFaults(string verb, string path)
{
    private FaultRule? _rule;
    private bool _isTaken;
    private long _done;

    /// <summary>Takes the rule, with the first content of the file.</summary>
    public void Begin(FaultRules rules)
    {
        if (_isTaken) return;
        _isTaken = true;
        _rule = rules.Take(FaultStage.Data, verb, path);
    }

    /// <summary>Inverts the byte to corrupt, if these bytes include that one.</summary>
    public void Corrupt(Span<byte> content, long offset)
    {
        if (_rule?.Action is CorruptDataFault corrupt && corrupt.AtByte >= offset && corrupt.AtByte < offset + content.Length)
            content[(int)(corrupt.AtByte - offset)] ^= 0xFF;
    }

    /// <summary>Counts passing content; returns the number of bytes before the fault strikes, and the rule when it does.</summary>
    public (int Before, FaultRule? Strikes) Count(int length)
    {
        var at = _rule?.Action switch
        {
            CutDataFault cut => cut.AfterBytes,
            StallDataFault stall => stall.AfterBytes,
            LoseDataFault lose => lose.AfterBytes,
            _ => long.MaxValue,
        };
        var before = (int)Math.Clamp(at - _done, 0, length);
        _done += length;
        return (before, _done > at || (_done == at && _rule?.Action is CutDataFault) ? _rule : null);
    }
}
