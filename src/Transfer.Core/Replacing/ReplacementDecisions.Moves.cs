namespace Transfer.Replacing;

// Moves of files and folders with proper names: both names are looked at first.
internal sealed partial class ReplacementDecisions
{
    private void TakeSameName(ReplacementAnswers answers)
    {
        if (answers.Sights[0].State == NameState.Absent) Fail(_errors.Missing(_source));
        else Succeed(ReplacementLesson.None);
    }

    private void TakeMoveLook(ReplacementAnswers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        (_kind, _target) = (source.State, target.State);
        _mayBeOneFile = NameSigns.MayBeOneFile(source, target);
        if (source.State == NameState.Absent) Fail(_errors.Missing(_source));
        else if (target.State is NameState.File or NameState.Directory && NameSigns.DifferInCaseOnly(_source, Target)) MoveOverThird();
        else if (_renaming is { IsLink: true, Replace: true } && NameSigns.MayBeLedTo(target, _renaming)) Fail(_errors.LedTo());
        else BeginMove();
    }

    private void BeginMove()
    {
        // Unknown kinds might differ.
        if (_target == NameState.Unknown || _target == NameState.File && _kind == NameState.Unknown) Fail(_errors.NotSeen(_refusal));
        else if (_target == NameState.Directory || _target == NameState.File && (!_renaming.Replace || _kind == NameState.Directory))
            Fail(_errors.InTheWay(_target));
        else BeginRename();
    }

    private void MoveOverThird() => new ThirdNameMove(
        _steps, _aside, _errors, (_source, Target), moved: () => Succeed(ReplacementLesson.None), failed: error => Fail(error),
        areTwo: there =>
        {
            _target = there;
            BeginMove();
        }).Begin(_target);

    private void TellTwinsApart() => new TwinMove(_steps, _aside, _errors, IntoPlace)
    {
        Moved = Succeed,
        Failed = error => Fail(error),
        Replaced = DeleteAside,
        Refused = error =>
        {
            _refusal = error;
            PutBack();
        },
    }.Begin();
}
