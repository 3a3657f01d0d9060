using static Transfer.Replacing.ReplacementStep;

namespace Transfer.Replacing;

/// <summary>
/// The end of an accepted rename between two names with one length and time. They may be hard links of one file, for which a rename does
/// nothing (POSIX rename): when both still exist, the target is moved aside, and the source gets its name.
/// </summary>
internal sealed class TwinMove
{
    private readonly ReplacementSteps _steps;
    private readonly AsideTrack _aside;
    private readonly ReplacementErrors _errors;
    private readonly Rename _intoPlace;
    private TransferException? _doubt;

    /// <param name="steps">Takes the steps.</param>
    /// <param name="aside">Holds the target's other name.</param>
    /// <param name="errors">Makes the errors.</param>
    /// <param name="intoPlace">The rename that was accepted.</param>
    public TwinMove(ReplacementSteps steps, AsideTrack aside, ReplacementErrors errors, Rename intoPlace) =>
        (_steps, _aside, _errors, _intoPlace) = (steps, aside, errors, intoPlace);

    /// <summary>Called when the file has the new name, and nothing is aside.</summary>
    public required Action<ReplacementLesson> Moved { get; init; }

    /// <summary>Called when both names stay as they are, or the aside where the error names that.</summary>
    public required Action<TransferException> Failed { get; init; }

    /// <summary>Called when the file has the new name, and the old target is aside.</summary>
    public required Action Replaced { get; init; }

    /// <summary>Called when the target is aside and the second rename was refused.</summary>
    public required Action<TransferException?> Refused { get; init; }

    /// <summary>Looks at both names.</summary>
    public void Begin() => _steps.Request([new Look([_intoPlace.From, _intoPlace.To])], TakeNames);

    private void TakeNames(ReplacementAnswers answers)
    {
        var (source, target) = (answers.Sights[0], answers.Sights[1]);
        if (source.State != NameState.File || target.State != NameState.File)
        {
            Moved(ReplacementLesson.Renamed);
            return;
        }
        _doubt = new TransferException(TransferError.Protocol,
            $"{_intoPlace.To} and {_errors.NameOf(_intoPlace.From)} are both there after the rename: they may be one file (hard links).")
        { RemotePath = _intoPlace.To };
        if (_aside.TryMove(_intoPlace.To) is { } aside) _steps.Request([aside], TakeAside);
        else Failed(_doubt);
    }

    // Two paths may lead to one name, through a link to a folder: then the source is gone too, and no move was needed.
    private void TakeAside(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            _steps.Request([new Look([_intoPlace.From])], TakeSource);
            return;
        }
        _aside.End();
        Failed(answers.Renames[0].Answer == RenameAnswer.Later ? answers.Renames[0].Error! : _doubt!);
    }

    private void TakeSource(ReplacementAnswers answers)
    {
        if (answers.Sights[0].State == NameState.Absent) _steps.Request([new Rename(_aside.Path!, _intoPlace.To)], TakeBack);
        else _steps.Request([_intoPlace], TakeIntoPlace);
    }

    private void TakeBack(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone)
        {
            _aside.End();
            Moved(ReplacementLesson.None);
            return;
        }
        Failed(ReplacementErrors.Stranded(answers.Renames[0].Error!, _aside));
    }

    // No lesson: nothing here was due to a refusal of the server.
    private void TakeIntoPlace(ReplacementAnswers answers)
    {
        if (answers.Renames[0].IsDone) Replaced();
        else Refused(answers.Renames[0].Error);
    }
}
