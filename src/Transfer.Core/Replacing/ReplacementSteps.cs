namespace Transfer.Replacing;

/// <summary>The steps that a replacement wants, and the decision that takes their answers.</summary>
internal sealed class ReplacementSteps
{
    private Action<ReplacementAnswers> _take = static _ => throw new InvalidOperationException("The replacement has ended.");

    /// <summary>The steps that are wanted now.</summary>
    public IReadOnlyList<ReplacementStep> Next { get; private set; } = [];

    /// <summary>The steps whose answers are being taken.</summary>
    public IReadOnlyList<ReplacementStep> Asked { get; private set; } = [];

    /// <summary>Wants steps.</summary>
    /// <param name="steps">The steps.</param>
    /// <param name="take">Takes their answers.</param>
    public void Want(IReadOnlyList<ReplacementStep> steps, Action<ReplacementAnswers> take) => (Next, Asked, _take) = (steps, steps, take);

    /// <summary>Wants nothing more.</summary>
    public void End() => (Next, Asked) = ([], []);

    /// <summary>Hands in answers.</summary>
    /// <param name="answers">The answers.</param>
    /// <param name="fit">They are of the kind and number that <see cref="Next"/> wants.</param>
    public void Take(in ReplacementAnswers answers, bool fit)
    {
        if (!fit) throw new InvalidOperationException("These answers belong to other steps.");
        var take = _take;
        Next = [];
        take(answers);
    }
}
