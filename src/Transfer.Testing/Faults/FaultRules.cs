namespace Transfer.Testing.Faults;

/// <summary>All rules, in the order they were added.</summary>
internal sealed class FaultRules
{
    /// <summary>Stands for every verb.</summary>
    public const string AnyVerb = "*";

    private readonly Lock _gate = new();
    private readonly List<FaultRule> _rules = [];

    /// <summary>All handles, also of spent rules: a stall outlives the rule until its release.</summary>
    private readonly List<TestFault> _handles = [];

    public TestFault Add(FaultStage stage, string verb, FaultAction action, int skip, int times, string? path)
    {
        ArgumentException.ThrowIfNullOrEmpty(verb);
        ArgumentOutOfRangeException.ThrowIfNegative(skip);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(times);
        var rule = new FaultRule(stage, verb, action, skip, times, path);
        lock (_gate)
        {
            _rules.Add(rule);
            _handles.Add(rule.Handle);
        }

        return rule.Handle;
    }

    /// <summary>The rule that strikes this command at this stage, or null.</summary>
    public FaultRule? Take(FaultStage stage, string verb, string path)
    {
        FaultRule? struck = null;
        lock (_gate)
        {
            if (_rules.Count == 0) return null;
            foreach (var rule in _rules)
                if (rule.Fits(stage, verb, path) && rule.Due(taken: struck is not null)) struck = rule;
            _rules.RemoveAll(rule => rule.IsSpent);
        }

        struck?.Handle.Strike();
        return struck;
    }

    public void Clear()
    {
        lock (_gate)
        {
            foreach (var handle in _handles) handle.Release();
            _handles.Clear();
            _rules.Clear();
        }
    }
}
