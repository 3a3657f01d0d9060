namespace Transfer.Replacing;

/// <summary>
/// The one way to put a name in place of another, as decisions without input or output: <see cref="Next"/> holds the steps to do, the
/// answers are passed to <see cref="Take(IReadOnlyList{RenameReply})"/> and its like, until there is a <see cref="Result"/>.
/// </summary>
/// <remarks>
/// First comes the rename onto the name itself: most servers replace in one step, and a refusal changes nothing. Only after a refusal
/// of a rename whose source is known to exist, and whose target is a file, the old file is moved aside, the new one gets its name, and the
/// old one is deleted.
/// If the second step fails, the old file goes back. Nothing is deleted before the new content is known to be under its name.
/// </remarks>
public sealed class Replacement
{
    private readonly ReplacementSteps _steps = new();
    private readonly ReplacementErrors _errors;
    private readonly ReplacementDecisions _decisions;

    /// <summary>Begins a replacement.</summary>
    /// <param name="renaming">The renaming.</param>
    /// <param name="knowledge">The known facts about the target's folder.</param>
    public Replacement(Renaming renaming, ReplacementKnowledge knowledge = ReplacementKnowledge.None)
    {
        ArgumentNullException.ThrowIfNull(renaming);
        _errors = new ReplacementErrors(renaming);
        _decisions = new ReplacementDecisions(renaming, knowledge, _steps, _errors);
        _decisions.Begin();
    }

    /// <summary>The next steps: one, or several renames that may be sent together. Empty at the end.</summary>
    public IReadOnlyList<ReplacementStep> Next => _steps.Next;

    /// <summary>The result; null: not ended yet.</summary>
    public ReplacementResult? Result => _decisions.Result;

    /// <summary>The lesson about the target's folder.</summary>
    public ReplacementLesson Lesson => _decisions.Lesson;

    /// <summary>At the end: files that are certainly not aside any more, each with the name it had meanwhile.</summary>
    public IReadOnlyList<(string Original, string Aside)> EndedAsides => _decisions.EndedAsides;

    /// <summary>Takes the answers to renames.</summary>
    public void Take(IReadOnlyList<RenameReply> replies)
    {
        var renames = Next.OfType<ReplacementStep.Rename>().ToList();
        var fit = renames.Count == replies?.Count;
        RenameReply[] named = fit
            ? [.. replies!.Select((reply, i) => reply with { Error = _errors.WithCallersPath(reply.Error, renames[i]) })] : [];
        _steps.Take(new ReplacementAnswers { Renames = named }, fit);
    }

    /// <summary>Takes the sights of names.</summary>
    public void Take(IReadOnlyList<NameSight> sights) =>
        _steps.Take(new ReplacementAnswers { Sights = sights }, Next is [ReplacementStep.Look look] && look.Paths.Count == sights?.Count);

    /// <summary>Takes the answer to a deletion: the error, or null.</summary>
    public void Take(TransferException? refusal) =>
        _steps.Take(new ReplacementAnswers { Refusal = refusal }, Next is [ReplacementStep.Delete]);

    /// <summary>Goes on after the time of a <see cref="ReplacementStep.Wait"/>.</summary>
    public void Waited() => _steps.Take(default, Next is [ReplacementStep.Wait]);
}
