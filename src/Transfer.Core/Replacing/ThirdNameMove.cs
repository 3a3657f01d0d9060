using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

/// <summary>
/// A move between two names that differ in case only. Where names are case-insensitive both are one file, which a rename of one onto the
/// other may lose. A move to a third name first shows whether they are.
/// </summary>
internal sealed class ThirdNameMove
{
    private readonly ReplacementSteps _steps;
    private readonly AsideTrack _aside;
    private readonly ReplacementErrors _errors;
    private readonly string _source;
    private readonly string _target;
    private readonly Action _moved;
    private readonly Action<TransferException> _failed;
    private readonly Action<NameState> _areTwo;
    private NameState _seen;
    private TransferException? _refusal;

    /// <param name="steps">Takes the steps.</param>
    /// <param name="aside">Holds the third name.</param>
    /// <param name="errors">Makes the errors.</param>
    /// <param name="names">Both names.</param>
    /// <param name="moved">Called when the file has the new name.</param>
    /// <param name="failed">Called when the file has its old name, or the third one where the error names that.</param>
    /// <param name="areTwo">Called when the file has its old name and another file the new one: the server is case-sensitive.</param>
    public ThirdNameMove(
        ReplacementSteps steps, AsideTrack aside, ReplacementErrors errors, (string Source, string Target) names, Action moved,
        Action<TransferException> failed, Action<NameState> areTwo)
    {
        (_steps, _aside, _errors, (_source, _target)) = (steps, aside, errors, names);
        (_moved, _failed, _areTwo) = (moved, failed, areTwo);
    }

    /// <summary>Begins the move.</summary>
    /// <param name="there">The state of the new name.</param>
    public void Begin(NameState there)
    {
        if (_aside.TryMove(_source) is { } third) _steps.Request([third], TakeThird);
        else _failed(_errors.InTheWay(there));
    }

    private void TakeThird(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            _steps.Request([new Look([_target])], TakeLook);
            return;
        }
        _aside.End();
        _failed(answers.Renames[0].Error!);
    }

    private void TakeLook(ReplacementAnswers answers)
    {
        _seen = answers.Sights[0].State;
        _refusal = _seen == NameState.Unknown ? _errors.NotSeen(null) : null;
        if (_seen == NameState.Absent) _steps.Request([new Rename(_aside.Path!, _target)], TakeOver);
        else _steps.Request([new Rename(_aside.Path!, _source)], _seen == NameState.Unknown ? TakeBack : TakeTwoNames);
    }

    private void TakeOver(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            _aside.End();
            _moved();
            return;
        }
        _refusal = answers.Renames[0].Error;
        _steps.Request([new Rename(_aside.Path!, _source)], TakeBack);
    }

    private void TakeBack(ReplacementAnswers answers)
    {
        if (!answers.Renames[0].IsDone)
        {
            _failed(ReplacementErrors.Stranded(_refusal!, _aside));
            return;
        }
        _aside.End();
        _failed(_refusal!);
    }

    private void TakeTwoNames(ReplacementAnswers answers)
    {
        if (!answers.Renames[0].IsDone)
        {
            _failed(ReplacementErrors.Stranded(answers.Renames[0].Error!, _aside));
            return;
        }
        _aside.End();
        _areTwo(_seen);
    }
}
