using Transfer.Local;
using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

// Moves of files and folders that are under names of their own: both names are looked at first.
public sealed partial class Replacement
{
    private void TakeSameName(Answers answers)
    {
        if (answers.Sights[0].State == NameState.Absent) Fail(Missing());
        else Succeed(ReplacementLesson.None);
    }

    private void TakeMoveLook(Answers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        (_kind, _target) = (source.State, target.State);
        _mayBeOneFile = MayBeOneFile(source, target);
        if (source.State == NameState.Absent) Fail(Missing());
        else if (target.State is NameState.File or NameState.Directory && DifferInCaseOnly(_source, Target)) MoveOverThird();
        else BeginMove();
    }

    private void BeginMove()
    {
        // Kinds that are not known might differ.
        if (_target == NameState.Unknown || _target == NameState.File && _kind == NameState.Unknown) Fail(NotSeen());
        else if (_target == NameState.Directory || _target == NameState.File && (!_renaming.Replace || _kind == NameState.Directory)) Fail(InTheWay(_target));
        else BeginRename();
    }

    // Where names are case-insensitive both are one file, which a rename of one onto the other may lose. Under a third name the file itself tells.
    private void MoveOverThird()
    {
        if (TryNameAside(_source) is { } third) Steps([third], TakeThird);
        else Fail(InTheWay(_target));
    }

    private void TakeThird(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            LookAt([Target], TakeThirdLook);
            return;
        }
        EndAside();
        Fail(answers.Renames[0].Error!);
    }

    private void TakeThirdLook(Answers answers)
    {
        _target = answers.Sights[0].State;
        _refusal = _target == NameState.Unknown ? NotSeen() : null;
        if (_target == NameState.Absent) Steps([new Rename(_aside!, Target)], TakeOverThird);
        else Steps([new Rename(_aside!, _source)], _target == NameState.Unknown ? TakeThirdBack : TakeTwoNames);
    }

    private void TakeOverThird(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            EndAside();
            Succeed(ReplacementLesson.None);
            return;
        }
        _refusal = answers.Renames[0].Error;
        Steps([new Rename(_aside!, _source)], TakeThirdBack);
    }

    private void TakeThirdBack(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            EndAside();
            Fail(_refusal!);
            return;
        }
        End(new ReplacementResult { Error = Stranded(_refusal!), Aside = _aside });
    }

    // Two files after all, on a server that tells case apart.
    private void TakeTwoNames(Answers answers)
    {
        if (!answers.Renames[0].IsDone)
        {
            End(new ReplacementResult { Error = Stranded(answers.Renames[0].Error!), Aside = _aside });
            return;
        }
        EndAside();
        BeginMove();
    }

    // rename(2) of one hard link onto another of the same file does nothing, and says yes. What differs in length or time is no such file.
    private static bool MayBeOneFile(NameSight source, NameSight target) =>
        source.State == NameState.File && target.State == NameState.File && source.Length == target.Length && source.Modified == target.Modified;

    private void TakeTwins(Answers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        if (source.State != NameState.File || target.State != NameState.File)
        {
            Succeed(ReplacementLesson.Renamed);
            return;
        }
        _refusal = new TransferException(TransferError.Protocol, $"{Target} and {SourceName} are both there after the rename: they may be one file (hard links).") { RemotePath = Target };
        if (TryNameAside() is { } aside) Steps([aside], TakeTwinAside);
        else Fail(_refusal);
    }

    // Two paths may lead to one name, through a link to a folder: then the source is gone too, and nothing was to be done.
    private void TakeTwinAside(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            LookAt([_source], TakeTwinLook);
            return;
        }
        EndAside();
        Fail(answers.Renames[0].Answer == RenameAnswer.Later ? answers.Renames[0].Error! : _refusal!);
    }

    private void TakeTwinLook(Answers answers)
    {
        if (answers.Sights[0].State == NameState.Absent) Steps([new Rename(_aside!, Target)], TakeTwinBack);
        else Steps([IntoPlace], TakeTwinIntoPlace);
    }

    private void TakeTwinBack(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            EndAside();
            Succeed(ReplacementLesson.None);
            return;
        }
        End(new ReplacementResult { Error = Stranded(answers.Renames[0].Error!), Aside = _aside });
    }

    // Of nothing that the server refuses does this tell: no lesson.
    private void TakeTwinIntoPlace(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            DeleteAside();
            return;
        }
        _refusal = answers.Renames[0].Error;
        PutBack();
    }

    private TransferException Stranded(TransferException error) =>
        new(error.Error, $"{error.Message} {_original} could not be put back either: it is {_aside} now.", error)
        {
            RemotePath = _original,
            ServerCode = error.ServerCode,
            Kept = [_aside!],
        };

    private static bool DifferInCaseOnly(string one, string other) => one != other && LocalNames.Lenient.Equals(one, other);
}
