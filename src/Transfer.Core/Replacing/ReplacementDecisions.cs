using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

/// <summary>The decisions of a <see cref="Replacement"/>.</summary>
internal sealed partial class ReplacementDecisions
{
    /// <summary>The number of looks at a source that still exists after a session was lost over its rename.</summary>
    internal const int LooksForLateRename = 3;

    private const int MostBacks = 3;

    private static readonly TimeSpan LateRename = TimeSpan.FromMilliseconds(300);

    private readonly Renaming _renaming;
    private readonly ReplacementKnowledge _knowledge;
    private readonly ReplacementSteps _steps;
    private readonly ReplacementErrors _errors;
    private readonly AsideTrack _aside;
    private string _source;
    private TransferException? _refusal;
    private RenameAnswer _refused = RenameAnswer.Done; // the answer to a refused rename
    private bool _isUnsupported;
    private bool _hasLooked;
    private bool _mayBeOneFile;
    private NameState _target;
    private NameState _kind;
    private int _looks;
    private int _backs;

    /// <param name="renaming">The renaming.</param>
    /// <param name="knowledge">The known facts about the target's folder.</param>
    /// <param name="steps">Takes the steps.</param>
    /// <param name="errors">Makes the errors.</param>
    public ReplacementDecisions(Renaming renaming, ReplacementKnowledge knowledge, ReplacementSteps steps, ReplacementErrors errors)
    {
        _renaming = renaming;
        _knowledge = knowledge;
        _steps = steps;
        _errors = errors;
        _aside = new AsideTrack(renaming.Asides);
        _source = renaming.From;
    }

    /// <inheritdoc cref="Replacement.Result"/>
    public ReplacementResult? Result { get; private set; }

    /// <inheritdoc cref="Replacement.Lesson"/>
    public ReplacementLesson Lesson { get; private set; }

    /// <inheritdoc cref="Replacement.EndedAsides"/>
    public IReadOnlyList<(string Original, string Aside)> EndedAsides => _aside.Ended;

    private string Target => _renaming.To;

    public void Begin()
    {
        if (!_renaming.IsTemporary && _renaming.From == Target)
        {
            LookAt([Target], TakeSameName);
        }
        else if (_renaming.InDoubt)
        {
            LookInDoubt();
        }
        else if (!_renaming.IsTemporary)
        {
            LookAt([_source, Target], TakeMoveLook);
        }
        else if (_knowledge == ReplacementKnowledge.NoRename)
        {
            _isUnsupported = true;
            Fail(_errors.NoRename(null, _isUnsupported));
        }
        else if (_renaming.TargetSeen is { State: var state }
            && (state == NameState.Directory || state == NameState.File && !_renaming.Replace))
        {
            Fail(_errors.InTheWay(state));
        }
        else
        {
            if (_renaming.TargetSeen is { } seen) (_target, _hasLooked) = (seen.State, true);
            if (_renaming is { MustSeeTarget: true, Replace: false } && _target == NameState.Unknown) LookAt([Target], TakeNeededLook);
            else BeginRename();
        }
    }

    private void TakeNeededLook(ReplacementAnswers answers)
    {
        (_target, _hasLooked) = (answers.Sights[0].State, true);
        if (_target == NameState.Absent) BeginRename();
        else Fail(_target == NameState.Unknown ? _errors.NotSeen(_refusal) : _errors.InTheWay(_target));
    }

    private void BeginRename()
    {
        if (_knowledge != ReplacementKnowledge.NeedsAside || !_renaming.Replace || !IsBeside(_source))
            _steps.Request([IntoPlace], TakeRename);
        // Only an entry known to be a file may be moved aside.
        else if (_renaming.IsTemporary && _target == NameState.Unknown && !_hasLooked) LookAt([Target], TakeTargetLook);
        else if (_target == NameState.File && _aside.TryMove(Target) is { } aside) _steps.Request([aside, IntoPlace], TakeAsideAndRename);
        else _steps.Request([IntoPlace], TakeRename);
    }

    private void TakeTargetLook(ReplacementAnswers answers)
    {
        (_target, _hasLooked) = (answers.Sights[0].State, true);
        if (_target == NameState.Directory) Fail(_errors.InTheWay(_target));
        else BeginRename();
    }

    private Rename IntoPlace => new(_source, Target)
    {
        Replaces = _renaming.Replace,
        IsExclusive = _renaming is { Replace: false, IsTemporary: true },
        IsDirectory = _renaming.IsDirectory,
    };

    private void TakeRename(ReplacementAnswers answers)
    {
        var reply = answers.Renames[0];
        if (_mayBeOneFile && reply.Answer is RenameAnswer.Done or RenameAnswer.WithoutEffect) TellTwinsApart();
        else if (!reply.IsDone) Refused(reply);
        else Succeed(ReplacementLesson.Renamed);
    }

    private void TakeAsideAndRename(ReplacementAnswers answers)
    {
        var (away, renamed) = (answers.Renames[0], answers.Renames[1]);
        if (renamed.IsDone)
        {
            // An absent target could not be moved aside.
            if (away.IsDone)
            {
                DeleteAside();
                return;
            }
            _aside.End();
            if (_mayBeOneFile) TellTwinsApart();
            else Succeed(ReplacementLesson.None);
        }
        else if (away.IsDone)
        {
            _refusal = renamed.Error;
            PutBack();
        }
        else
        {
            _aside.End();
            if (_mayBeOneFile && renamed.Answer == RenameAnswer.WithoutEffect) TellTwinsApart();
            else Refused(renamed);
        }
    }

    private static bool MeansNoCommand(RenameAnswer answer) => answer is RenameAnswer.Unsupported or RenameAnswer.WithoutEffect;

    private bool IsForNow => _refused == RenameAnswer.Later;

    // Servers have all kinds of codes for a name that exists.
    private bool MayMoveAside => _refused != RenameAnswer.Denied;

    // A refusal has changed nothing, most likely: a look finds out.
    private void Refused(RenameReply reply)
    {
        _refusal = reply.Error;
        _refused = reply.Answer;
        if (IsForNow && !_renaming.Replace) Fail(_refusal!);
        else LookAt([_source, Target], TakeRefusedLook);
    }

    private void TakeRefusedLook(ReplacementAnswers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        _target = target.State;
        if (source.State == NameState.Absent)
        {
            // A lost session's rename came late, or the refused one was done.
            if (NameSigns.WasDone(target, _renaming, _kind, _refused)) Succeed(ReplacementLesson.None);
            else Fail(_errors.Missing(_source), isGone: true);
        }
        else if (NameSigns.AreLinked(source, target, _renaming))
        {
            DeleteLinked();
        }
        else if (MeansNoCommand(_refused) && (target.State != NameState.File || !_renaming.Replace))
        {
            FailWithoutRename(ReplacementLesson.NoRenameCommand);
        }
        else if (IsForNow && target.State is NameState.Absent or NameState.Unknown)
        {
            Fail(_refusal!);
        }
        else if (target.State == NameState.Directory || !_renaming.Replace && target.State == NameState.File)
        {
            Fail(_errors.InTheWay(target.State));
        }
        else if (_renaming.IsTemporary)
        {
            _steps.Request([new Rename(_source, _renaming.Asides.TemporaryBeside(Target))], TakeSecond);
        }
        else if (MayMoveAside && _refused != RenameAnswer.SourceRefused && source.State == NameState.File && target.State == NameState.File)
        {
            MoveAside();
        }
        else
        {
            Fail(_refusal!);
        }
    }

    // To a second temporary name in the target's folder, which shows whether files can be renamed into that folder; not from another file
    // system.
    private void TakeSecond(ReplacementAnswers answers)
    {
        var reply = answers.Renames[0];
        if (reply.IsDone)
        {
            _source = ((Rename)_steps.Current[0]).To;
            if (MayMoveAside && _target == NameState.File) MoveAside();
            else Fail(_target == NameState.Unknown ? _errors.NotSeen(_refusal) : _refusal!);
        }
        else if (IsForNow || reply.Answer == RenameAnswer.Later || !IsBeside(_source))
        {
            Fail(reply.Answer == RenameAnswer.Later ? reply.Error! : _refusal!);
        }
        else
        {
            FailWithoutRename(MeansNoCommand(reply.Answer) ? ReplacementLesson.NoRenameCommand : ReplacementLesson.TemporaryNotRenamed);
        }
    }

    private void MoveAside()
    {
        if (_aside.TryMove(Target) is { } aside) _steps.Request([aside], TakeAside);
        else Fail(_refusal!);
    }

    private void TakeAside(ReplacementAnswers answers)
    {
        var reply = answers.Renames[0];
        if (reply.IsDone)
        {
            _steps.Request([IntoPlace], TakeIntoPlace);
            return;
        }
        _aside.End();
        if (MeansNoCommand(_refused) && MeansNoCommand(reply.Answer)) FailWithoutRename(ReplacementLesson.NoRenameCommand);
        else Fail(reply.Answer == RenameAnswer.Later ? reply.Error! : _refusal!);
    }

    private void TakeIntoPlace(ReplacementAnswers answers)
    {
        var reply = answers.Renames[0];
        if (reply.IsDone)
        {
            // What is refused for now may be accepted the next time.
            if (!IsForNow) Lesson = ReplacementLesson.NeedsAside;
            DeleteAside();
            return;
        }
        _refusal = reply.Error;
        PutBack();
    }

    private void PutBack() => _steps.Request([new Rename(_aside.Path!, Target)], TakeBack);

    private void TakeBack(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            _aside.End();
            Fail(_refusal!);
            return;
        }
        // The old file may be held for a moment, as its new content was.
        if (_backs++ < MostBacks)
        {
            _steps.Request([new Wait(LateRename * _backs)], _ => PutBack());
            return;
        }
        var error = _errors.NotPutBack(_refusal!, _aside.Path!, _source, _renaming.Trace.Aside);
        End(new ReplacementResult { Error = error, Aside = _aside.Path });
    }

    // The last look before the old content goes: some servers confirm a rename without doing it.
    private void DeleteAside() => LookAt([Target], TakeProof);

    private void TakeProof(ReplacementAnswers answers)
    {
        var target = answers.Sights[0];
        if (target.State == NameState.File && (_renaming.Length is null || target.Length is null || target.Length == _renaming.Length))
        {
            _steps.Request([new Delete(_aside.Path!)], TakeDeletion);
        }
        else if (target.State == NameState.Absent)
        {
            _refusal = new TransferException(TransferError.Protocol,
                $"{Target}: the server said that it renamed {_errors.NameOf(_source)}, and nothing is there.")
            { RemotePath = Target };
            Lesson = ReplacementLesson.None;
            PutBack();
        }
        else
        {
            // The new content cannot be seen: the old one stays aside.
            Succeed(Lesson);
        }
    }

    private void TakeDeletion(ReplacementAnswers answers)
    {
        if (answers.Refusal is null or { Error: TransferError.NotFound }) _aside.End();
        Succeed(Lesson);
    }

    private bool IsBeside(string path) => RemotePath.GetParent(path) == RemotePath.GetParent(Target);

    private void FailWithoutRename(ReplacementLesson lesson)
    {
        _isUnsupported = _renaming.IsTemporary;
        Lesson = lesson;
        Fail(_errors.NoRename(_refusal, _isUnsupported));
    }

    private void Succeed(ReplacementLesson lesson)
    {
        Lesson = lesson;
        End(new ReplacementResult { Aside = _aside.Path });
    }

    private void Fail(TransferException error, bool isGone = false) =>
        End(new ReplacementResult { Error = error, Aside = _aside.Path, Discard = isGone || _renaming.Stays(error) ? null : _source });

    private void End(ReplacementResult result)
    {
        Result = result;
        _steps.End();
    }

    private void LookAt(IReadOnlyList<string> paths, Action<ReplacementAnswers> take) => _steps.Request([new Look(paths)], take);
}
