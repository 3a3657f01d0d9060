using static Transfer.Replacing.ReplacementStep;

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
        else BeginMove();
    }

    private void BeginMove()
    {
        // Unknown kinds might differ.
        if (_target == NameState.Unknown || _target == NameState.File && _kind == NameState.Unknown) Fail(_errors.NotSeen(_refusal));
        else if (_target == NameState.Directory || _target == NameState.File && (!_renaming.Replace || _kind == NameState.Directory)) Fail(_errors.InTheWay(_target));
        else BeginRename();
    }

    private void MoveOverThird() => new ThirdNameMove(
        _steps, _aside, _errors, (_source, Target), moved: () => Succeed(ReplacementLesson.None), failed: error => Fail(error), areTwo: there =>
        {
            _target = there;
            BeginMove();
        }).Begin(_target);

    private void TakeTwins(ReplacementAnswers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        if (source.State != NameState.File || target.State != NameState.File)
        {
            Succeed(ReplacementLesson.Renamed);
            return;
        }
        _refusal = new TransferException(TransferError.Protocol, $"{Target} and {_errors.NameOf(_source)} are both there after the rename: they may be one file (hard links).") { RemotePath = Target };
        if (_aside.TryMove(Target) is { } aside) _steps.Request([aside], TakeTwinAside);
        else Fail(_refusal);
    }

    // Two paths may lead to one name, through a link to a folder: then the source is gone too, and no move was needed.
    private void TakeTwinAside(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            LookAt([_source], TakeTwinLook);
            return;
        }
        _aside.End();
        Fail(answers.Renames[0].Answer == RenameAnswer.Later ? answers.Renames[0].Error! : _refusal!);
    }

    private void TakeTwinLook(ReplacementAnswers answers)
    {
        if (answers.Sights[0].State == NameState.Absent) _steps.Request([new Rename(_aside.Path!, Target)], TakeTwinBack);
        else _steps.Request([IntoPlace], TakeTwinIntoPlace);
    }

    private void TakeTwinBack(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            _aside.End();
            Succeed(ReplacementLesson.None);
            return;
        }
        End(new ReplacementResult { Error = ReplacementErrors.Stranded(answers.Renames[0].Error!, _aside), Aside = _aside.Path });
    }

    // No lesson: nothing here was due to a refusal of the server.
    private void TakeTwinIntoPlace(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            DeleteAside();
            return;
        }
        _refusal = answers.Renames[0].Error;
        PutBack();
    }
}
