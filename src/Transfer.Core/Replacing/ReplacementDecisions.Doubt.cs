using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

// After a lost session: all names are looked at before any decision, and a rename that may still be carried out is waited for, not raced.
internal sealed partial class ReplacementDecisions
{
    private void LookInDoubt()
    {
        var (aside, third, second) = _renaming.Trace;
        LookAt([_renaming.From, Target, .. new[] { aside, third, second }.Where(path => path is not null)!], TakeDoubt);
    }

    private void TakeDoubt(ReplacementAnswers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        var (aside, third, second) = TraceOf(answers.Sights);
        (_source, _kind, _target) = (_renaming.From, source.State, target.State);
        if (aside.State == NameState.File) _aside.Found(_renaming.Trace.Aside, Target);
        else _aside.Found(null, string.Empty);
        if (source.State == NameState.Absent && second.State == NameState.File) (_source, source) = (_renaming.Trace.Second!, second);

        // Without a source no pending rename can succeed any more, and a file seen aside does not move by itself.
        var isOver = source.State == NameState.Absent && third.State == NameState.Absent
            && (_renaming.Trace.Aside is null || _aside.Path is not null || NameSigns.IsOurs(target, _renaming, _kind));
        if (NameSigns.AreLinked(source, target, _renaming)) DeleteLinked();
        else if (!isOver && _looks++ < LooksForLateRename) _steps.Request([new Wait(LateRename * _looks)], _ => LookInDoubt());
        else if (third.State is NameState.File or NameState.Directory) ReturnFromThird(source);
        else if (source.State == NameState.Absent) SettleWithoutSource(target);
        else if (source.Length is { } found && _renaming.Length is { } sent && found != sent) Fail(_errors.Differs(found, sent));
        // The old file is aside already: an entry under its name would have come later.
        else if (_aside.Path is not null && target.State == NameState.Absent) _steps.Request([IntoPlace], TakeIntoPlace);
        else if (_renaming.IsTemporary) BeginAgain();
        else TakeMoveLook(answers);
    }

    private void DeleteLinked() => _steps.Request([new Delete(_source)], _ => Succeed(ReplacementLesson.None)); // it has arrived

    private (NameSight Aside, NameSight Third, NameSight Second) TraceOf(IReadOnlyList<NameSight> sights)
    {
        var (next, (aside, third, second)) = (2, _renaming.Trace);
        return (Sight(aside), Sight(third), Sight(second));
        NameSight Sight(string? path) => path is null ? NameSight.Absent : sights[next++];
    }

    private void BeginAgain()
    {
        if (_target == NameState.Directory || !_renaming.Replace && _target == NameState.File) Fail(_errors.InTheWay(_target));
        else if (_aside.Path is null) BeginRename();
        else _steps.Request([IntoPlace], TakeRenameBesideAside);
    }

    // The old file is aside, and another entry has its name: that entry is replaced in one step or stays.
    private void TakeRenameBesideAside(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone) DeleteAside();
        else Fail(answers.Renames[0].Error!);
    }

    private void SettleWithoutSource(NameSight target)
    {
        if (NameSigns.IsOurs(target, _renaming, _kind))
        {
            if (_aside.Path is not null) DeleteAside();
            else Succeed(ReplacementLesson.None);
        }
        else if (target.State == NameState.Absent && _aside.Path is not null)
        {
            _refusal = _errors.Missing(_source);
            PutBackAlone();
        }
        else
        {
            Fail(_errors.Missing(_source), isGone: true);
        }
    }

    private void PutBackAlone() => _steps.Request([new Rename(_aside.Path!, _aside.Original)], TakeBackAlone);

    private void TakeBackAlone(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            _aside.End();
            Fail(_refusal!, isGone: true);
            return;
        }
        Fail(ReplacementErrors.Stranded(answers.Renames[0].Error!, _aside), isGone: true);
    }

    // Between two names that differ in case only: the file returns to its own name, and the move begins again.
    private void ReturnFromThird(NameSight source)
    {
        _aside.Found(_renaming.Trace.Third, _renaming.From);
        if (source.State == NameState.Absent) _steps.Request([new Rename(_aside.Path!, _aside.Original)], TakeReturn);
        else Fail(ReplacementErrors.Stranded(_errors.NotSeen(_refusal), _aside));
    }

    private void TakeReturn(ReplacementAnswers answers)
    {
        if (!answers.Renames[0].IsDone)
        {
            Fail(ReplacementErrors.Stranded(answers.Renames[0].Error!, _aside));
            return;
        }
        _aside.End();
        LookAt([_source, Target], TakeMoveLook);
    }
}
