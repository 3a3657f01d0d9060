namespace Transfer.Replacing;

/// <summary>The next steps of a replacement, and the decision that takes their answers.</summary>
internal sealed class ReplacementSteps
{
    private Action<ReplacementAnswers> _take = static _ => throw new InvalidOperationException("The replacement has ended.");

    /// <summary>The next steps.</summary>
    public IReadOnlyList<ReplacementStep> Next { get; private set; } = [];

    /// <summary>The steps that currently get their answers.</summary>
    public IReadOnlyList<ReplacementStep> Current { get; private set; } = [];

    /// <summary>Sets the next steps.</summary>
    /// <param name="steps">The steps.</param>
    /// <param name="take">Takes their answers.</param>
    public void Request(IReadOnlyList<ReplacementStep> steps, Action<ReplacementAnswers> take) =>
        (Next, Current, _take) = (steps, steps, take);

    /// <summary>Ends the steps.</summary>
    public void End() => (Next, Current) = ([], []);

    /// <summary>Passes answers to the decision.</summary>
    /// <param name="answers">The answers.</param>
    /// <param name="fit">Whether the answers fit <see cref="Next"/> in kind and number.</param>
    public void Take(in ReplacementAnswers answers, bool fit)
    {
        if (!fit) throw new InvalidOperationException("These answers belong to other steps.");
        var take = _take;
        Next = [];
        take(answers);
    }
}
