using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

/// <summary>
/// The one way to put a name in place of another, as decisions without input or output: <see cref="Next"/> says what to do, the answers are handed in, until there is a
/// <see cref="Result"/>.
/// </summary>
/// <remarks>
/// First comes the rename onto the name itself: most servers replace in one step, and a refusal changes nothing. Only after a refusal for good of a rename whose source is known
/// to be there, the old file is moved aside, the new one gets its name, and the old one goes. If the second step fails, the old file goes back. Nothing is deleted before the new
/// content is known to be under its name.
/// </remarks>
public sealed partial class Replacement
{
    /// <summary>Looks at a source that is still there after a session was lost over its rename.</summary>
    internal const int LooksForLateRename = 3;

    private static readonly TimeSpan LateRename = TimeSpan.FromMilliseconds(300);

    private readonly Renaming _renaming;
    private readonly List<(string Original, string Aside)> _ended = [];
    private Action<Answers> _take;
    private string _source;
    private string? _aside;
    private string _original = string.Empty;
    private TransferException? _refusal;
    private bool _mayMoveAside;
    private bool _isUnsupported;
    private bool _hasLooked;
    private bool _mayBeOneFile;
    private NameState _target;
    private NameState _kind;
    private int _looks;

    /// <summary>Begins.</summary>
    /// <param name="renaming">What is to be renamed.</param>
    /// <param name="knowledge">What is known of the target's folder.</param>
    public Replacement(Renaming renaming, ReplacementKnowledge knowledge = ReplacementKnowledge.None)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        _renaming = renaming;
        _source = renaming.From;
        _take = static _ => throw new InvalidOperationException("The replacement has ended.");
        Knowledge = knowledge;
        Begin();
    }

    /// <summary>The steps that are wanted now: one, or several renames that may leave together. Empty at the end.</summary>
    public IReadOnlyList<ReplacementStep> Next { get; private set; } = [];

    /// <summary>How it ended; null: it has not.</summary>
    public ReplacementResult? Result { get; private set; }

    /// <summary>What it has proved about the target's folder.</summary>
    public ReplacementLesson Lesson { get; private set; }

    /// <summary>At the end: files that were to be moved aside and, for certain, are not there any more, each with the name it had meanwhile.</summary>
    public IReadOnlyList<(string Original, string Aside)> EndedAsides => _ended;

    private ReplacementKnowledge Knowledge { get; }

    private string Target => _renaming.To;

    /// <summary>Takes the answers to renames.</summary>
    public void Take(IReadOnlyList<RenameReply> replies)
    {
        var renames = Next.OfType<Rename>().ToList();
        var fit = renames.Count == replies?.Count;
        Take(new Answers { Renames = fit ? [.. replies!.Select((reply, i) => reply with { Error = Named(reply.Error, renames[i]) })] : [] }, fit);
    }

    /// <summary>Takes what was found at names.</summary>
    public void Take(IReadOnlyList<NameSight> sights) => Take(new Answers { Sights = sights }, Next is [Look look] && look.Paths.Count == sights?.Count);

    /// <summary>Takes the answer to a deletion: why not, or null.</summary>
    public void Take(TransferException? refusal) => Take(new Answers { Refusal = refusal }, Next is [Delete]);

    /// <summary>The time of a <see cref="Wait"/> has passed.</summary>
    public void Waited() => Take(default, Next is [Wait]);

    private void Take(in Answers answers, bool fit)
    {
        if (!fit) throw new InvalidOperationException("These answers belong to other steps.");
        var take = _take;
        Next = [];
        take(answers);
    }

    private void Begin()
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
        else if (Knowledge == ReplacementKnowledge.NoRename)
        {
            _isUnsupported = true;
            Fail(NoRename(null));
        }
        else if (_renaming.TargetSeen is { State: var state } && (state == NameState.Directory || state == NameState.File && !_renaming.Replace))
        {
            Fail(InTheWay(state));
        }
        else
        {
            if (_renaming.TargetSeen is { } seen) (_target, _hasLooked) = (seen.State, true);
            if (_renaming is { MustSeeTarget: true, Replace: false } && _target == NameState.Unknown) LookAt([Target], TakeNeededLook);
            else BeginRename();
        }
    }

    private void TakeNeededLook(Answers answers)
    {
        (_target, _hasLooked) = (answers.Sights[0].State, true);
        if (_target == NameState.Absent) BeginRename();
        else Fail(_target == NameState.Unknown ? NotSeen() : InTheWay(_target));
    }

    private void BeginRename()
    {
        if (Knowledge != ReplacementKnowledge.NeedsAside || !_renaming.Replace || !IsBeside(_source)) Steps([IntoPlace], TakeRename);
        // What is moved aside must be known to be a file.
        else if (_renaming.IsTemporary && _target == NameState.Unknown && !_hasLooked) LookAt([Target], TakeTargetLook);
        else if (_target == NameState.File && TryNameAside() is { } aside) Steps([aside, IntoPlace], TakeAsideAndRename);
        else Steps([IntoPlace], TakeRename);
    }

    private void TakeTargetLook(Answers answers)
    {
        (_target, _hasLooked) = (answers.Sights[0].State, true);
        if (_target == NameState.Directory) Fail(InTheWay(_target));
        else BeginRename();
    }

    private Rename IntoPlace => new(_source, Target) { Replaces = _renaming.Replace, IsExclusive = _renaming is { Replace: false, IsTemporary: true } };

    private void TakeRename(Answers answers)
    {
        var reply = answers.Renames[0];
        if (!reply.IsDone) Refused(reply);
        else if (_mayBeOneFile) LookAt([_source, Target], TakeTwins);
        else Succeed(ReplacementLesson.Renamed);
    }

    private void TakeAsideAndRename(Answers answers)
    {
        var (away, renamed) = (answers.Renames[0], answers.Renames[1]);
        if (renamed.IsDone)
        {
            // A target that was not there could not be moved aside.
            if (away.IsDone)
            {
                DeleteAside();
                return;
            }
            EndAside();
            if (_mayBeOneFile) LookAt([_source, Target], TakeTwins);
            else Succeed(ReplacementLesson.None);
        }
        else if (away.IsDone)
        {
            _refusal = renamed.Error;
            PutBack();
        }
        else
        {
            EndAside();
            Refused(renamed);
        }
    }

    // Nothing has changed by it.
    private void Refused(RenameReply reply)
    {
        _refusal = reply.Error;
        _mayMoveAside = reply.Answer == RenameAnswer.Refused;
        if (reply.Answer == RenameAnswer.Later) Fail(_refusal!);
        else if (reply.Answer == RenameAnswer.Unsupported) FailWithoutRename(ReplacementLesson.NoRenameCommand);
        else LookAt([_source, Target], TakeRefusedLook);
    }

    private void TakeRefusedLook(Answers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        _target = target.State;
        if (source.State == NameState.Absent)
        {
            // A lost session's rename came late.
            if (IsOurs(target)) Succeed(ReplacementLesson.None);
            else Fail(Missing(), isGone: true);
        }
        else if (target.State == NameState.Directory || !_renaming.Replace && target.State == NameState.File)
        {
            Fail(InTheWay(target.State));
        }
        else if (_renaming.IsTemporary)
        {
            Steps([new Rename(_source, Second())], TakeSecond);
        }
        else if (_mayMoveAside && source.State == NameState.File && target.State == NameState.File)
        {
            MoveAside();
        }
        else
        {
            Fail(_refusal!);
        }
    }

    // To a second temporary name in the target's folder: it shows whether files can be renamed into that at all. Out of another file system they can't.
    private void TakeSecond(Answers answers)
    {
        var reply = answers.Renames[0];
        if (reply.IsDone)
        {
            _source = ((Rename)_steps[0]).To;
            if (_mayMoveAside && _target == NameState.File) MoveAside();
            else Fail(_target == NameState.Unknown ? NotSeen() : _refusal!);
        }
        else if (reply.Answer == RenameAnswer.Later || !IsBeside(_source))
        {
            Fail(reply.Answer == RenameAnswer.Later ? reply.Error! : _refusal!);
        }
        else
        {
            FailWithoutRename(reply.Answer == RenameAnswer.Unsupported ? ReplacementLesson.NoRenameCommand : ReplacementLesson.TemporaryNotRenamed);
        }
    }

    private void MoveAside()
    {
        if (TryNameAside() is { } aside) Steps([aside], TakeAside);
        else Fail(_refusal!);
    }

    private void TakeAside(Answers answers)
    {
        var reply = answers.Renames[0];
        if (reply.IsDone)
        {
            Steps([IntoPlace], TakeIntoPlace);
            return;
        }
        EndAside();
        Fail(reply.Answer == RenameAnswer.Later ? reply.Error! : _refusal!);
    }

    private void TakeIntoPlace(Answers answers)
    {
        var reply = answers.Renames[0];
        if (reply.IsDone)
        {
            Lesson = ReplacementLesson.NeedsAside;
            DeleteAside();
            return;
        }
        _refusal = reply.Error;
        PutBack();
    }

    private void PutBack() => Steps([new Rename(_aside!, Target)], TakeBack);

    private void TakeBack(Answers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            EndAside();
            Fail(_refusal!);
            return;
        }
        var error = new TransferException(
            _refusal!.Error, $"{_refusal.Message} {Target} could not be put back either: its content is in {_aside}, and the new content in {_source}.", _refusal)
        {
            RemotePath = Target,
            ServerCode = _refusal.ServerCode,
            // A lost session may have moved a file aside before, and later than anybody waited for it.
            Kept = _renaming.Trace.Aside is { } earlier && earlier != _aside ? [_aside!, _source, earlier] : [_aside!, _source],
        };
        End(new ReplacementResult { Error = error, Aside = _aside });
    }

    // The last look before the old content goes: some servers say yes to a rename that they do not do.
    private void DeleteAside() => LookAt([Target], TakeProof);

    private void TakeProof(Answers answers)
    {
        var target = answers.Sights[0];
        if (target.State == NameState.File && (_renaming.Length is null || target.Length is null || target.Length == _renaming.Length))
        {
            Steps([new Delete(_aside!)], TakeDeletion);
        }
        else if (target.State == NameState.Absent)
        {
            _refusal = new TransferException(TransferError.Protocol, $"{Target}: the server said that it renamed {SourceName}, and nothing is there.") { RemotePath = Target };
            Lesson = ReplacementLesson.None;
            PutBack();
        }
        else
        {
            // The new content cannot be seen: the old one stays aside.
            Succeed(Lesson);
        }
    }

    private void TakeDeletion(Answers answers)
    {
        if (answers.Refusal is null or { Error: TransferError.NotFound }) EndAside();
        Succeed(Lesson);
    }

    private Rename? TryNameAside() => TryNameAside(Target);

    private Rename? TryNameAside(string path)
    {
        (_aside, _original) = (_renaming.Asides.AsideOf(path), path);
        return _aside is null ? null : new Rename(path, _aside) { Original = path };
    }

    // Seen by a reply: what a lost session has asked for may still come.
    private void EndAside()
    {
        _ended.Add((_original, _aside!));
        _aside = null;
    }

    private string Second() => _renaming.Asides.TemporaryBeside(Target);

    private bool IsBeside(string path) => RemotePath.GetParent(path) == RemotePath.GetParent(Target);

    private void FailWithoutRename(ReplacementLesson lesson)
    {
        _isUnsupported = _renaming.IsTemporary;
        Lesson = lesson;
        Fail(NoRename(_refusal));
    }

    private void Succeed(ReplacementLesson lesson)
    {
        Lesson = lesson;
        End(new ReplacementResult { Aside = _aside });
    }

    private void Fail(TransferException error, bool isGone = false) => End(new ReplacementResult { Error = error, Aside = _aside, Discard = _renaming.IsTemporary && !isGone ? _source : null });

    private void End(ReplacementResult result) => (Result, Next, _steps) = (result, [], []);

    private void LookAt(IReadOnlyList<string> paths, Action<Answers> take) => Steps([new Look(paths)], take);

    private void Steps(IReadOnlyList<ReplacementStep> steps, Action<Answers> take) => (Next, _steps, _take) = (steps, steps, take);

    private IReadOnlyList<ReplacementStep> _steps = [];

    private readonly record struct Answers(IReadOnlyList<RenameReply> Renames, IReadOnlyList<NameSight> Sights, TransferException? Refusal);
}
