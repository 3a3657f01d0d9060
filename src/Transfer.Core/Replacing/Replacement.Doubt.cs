using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

// After a lost session: all names are looked at before anything is decided, and a rename that may still be carried out is waited for, not raced.
public sealed partial class Replacement
{
    // File systems and protocols keep times in steps of up to two seconds.
    private static readonly TimeSpan TimeStep = TimeSpan.FromSeconds(2);

    private void LookInDoubt()
    {
        var (aside, third, second) = _renaming.Trace;
        LookAt([_renaming.From, Target, .. new[] { aside, third, second }.Where(path => path is not null)!], TakeDoubt);
    }

    private void TakeDoubt(Answers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        var (aside, third, second) = TraceOf(answers.Sights);
        (_source, _kind, _target) = (_renaming.From, source.State, target.State);
        (_aside, _original) = aside.State == NameState.File ? (_renaming.Trace.Aside, Target) : (null, string.Empty);
        if (source.State == NameState.Absent && second.State == NameState.File) (_source, source) = (_renaming.Trace.Second!, second);

        // Nothing that was asked for can still come where its source is gone; and what is aside does not come alone.
        var isOver = source.State == NameState.Absent && third.State == NameState.Absent && (_renaming.Trace.Aside is null || _aside is not null || IsOurs(target));
        if (!isOver && _looks++ < LooksForLateRename) Steps([new Wait(LateRename * _looks)], _ => LookInDoubt());
        else if (third.State is NameState.File or NameState.Directory) ReturnFromThird(source);
        else if (source.State == NameState.Absent) SettleWithoutSource(target);
        else if (source.Length is { } found && _renaming.Length is { } sent && found != sent) Fail(Differs(found, sent));
        // The old file was moved aside already: whatever is under its name now came later.
        else if (_aside is not null && target.State == NameState.Absent) Steps([IntoPlace], TakeIntoPlace);
        else if (_renaming.IsTemporary) BeginAgain();
        else TakeMoveLook(answers);
    }

    private (NameSight Aside, NameSight Third, NameSight Second) TraceOf(IReadOnlyList<NameSight> sights)
    {
        var (next, (aside, third, second)) = (2, _renaming.Trace);
        return (Sight(aside), Sight(third), Sight(second));

        NameSight Sight(string? path) => path is null ? NameSight.Absent : sights[next++];
    }

    private void BeginAgain()
    {
        if (_target == NameState.Directory || !_renaming.Replace && _target == NameState.File) Fail(InTheWay(_target));
        else if (_aside is null) BeginRename();
        else Steps([IntoPlace], TakeRenameBesideAside);
    }

    // The old file is aside, and something has its name: that is replaced in one step or stays.
    private void TakeRenameBesideAside(Answers answers)
    {
        if (answers.Renames[0].IsDone) DeleteAside();
        else Fail(answers.Renames[0].Error!);
    }

    private void SettleWithoutSource(NameSight target)
    {
        if (IsOurs(target))
        {
            if (_aside is not null) DeleteAside();
            else Succeed(ReplacementLesson.None);
        }
        else if (target.State == NameState.Absent && _aside is not null)
        {
            _refusal = Missing();
            PutBackAlone();
        }
        else
        {
            Fail(Missing(), isGone: true);
        }
    }

    private void PutBackAlone() => Steps([new Rename(_aside!, _original)], TakeBackAlone);

    private void TakeBackAlone(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            EndAside();
            Fail(_refusal!, isGone: true);
            return;
        }
        Fail(Stranded(answers.Renames[0].Error!), isGone: true);
    }

    // Between two names that differ in case only: from its own name the move begins again.
    private void ReturnFromThird(NameSight source)
    {
        (_aside, _original) = (_renaming.Trace.Third, _renaming.From);
        if (source.State == NameState.Absent) Steps([new Rename(_aside!, _original)], TakeReturn);
        else Fail(Stranded(NotSeen()));
    }

    private void TakeReturn(Answers answers)
    {
        if (!answers.Renames[0].IsDone)
        {
            Fail(Stranded(answers.Renames[0].Error!));
            return;
        }
        EndAside();
        LookAt([_source, Target], TakeMoveLook);
    }

    // By length and time, as far as both are known: of an old file at least the time would differ.
    private bool IsOurs(NameSight target) => target.State switch
    {
        NameState.Directory => _kind == NameState.Directory || _renaming is { IsTemporary: false, InDoubt: true, Length: null },
        NameState.File => _renaming.Length is { } length && target.Length == length
            && !(_renaming.Modified is { } sent && target.Modified is { } found && (sent - found).Duration() >= TimeStep),
        _ => false,
    };
}
