using System.IO.Enumeration;

namespace Transfer.Testing.Faults;

/// <summary>One scripted fault and its remaining counts, guarded by <see cref="FaultRules"/>.</summary>
internal sealed class FaultRule
{
    private readonly string _verb;
    private readonly string? _path;
    private int _skip;
    private int _times;

    public FaultRule(FaultStage stage, string verb, FaultAction action, int skip, int times, string? path)
    {
        Stage = stage;
        Action = action;
        _verb = verb;
        _path = path;
        _skip = skip;
        _times = times;
    }

    public FaultStage Stage { get; }

    public FaultAction Action { get; }

    public TestFault Handle { get; } = new();

    public bool IsSpent => _times <= 0 || Handle.Released.IsCompleted;

    public bool Fits(FaultStage stage, string verb, string path) =>
        stage == Stage
        && !IsSpent
        && ((_verb == FaultRules.AnyVerb && !verb.StartsWith('(')) || _verb.Equals(verb, StringComparison.OrdinalIgnoreCase))
        && (_path is null || FileSystemName.MatchesSimpleExpression(_path, path, ignoreCase: false));

    /// <summary>Counts a command that fits, and returns whether the rule is due.</summary>
    public bool Due(bool taken)
    {
        if (_skip > 0)
        {
            _skip--;
            return false;
        }

        if (taken) return false;
        if (_times != int.MaxValue) _times--;
        return true;
    }
}
