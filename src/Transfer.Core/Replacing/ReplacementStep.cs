namespace Transfer.Replacing;

/// <summary>What a <see cref="Replacement"/> wants done next.</summary>
public abstract record ReplacementStep
{
    private ReplacementStep()
    {
    }

    /// <summary>Rename one name to another. Steps of this kind that are wanted together may leave in one write, in order.</summary>
    /// <param name="From">The present path.</param>
    /// <param name="To">The path to be had.</param>
    public sealed record Rename(string From, string To) : ReplacementStep
    {
        /// <summary>An existing file at <see cref="To"/> may be replaced by the rename itself.</summary>
        public bool Replaces { get; init; }

        /// <summary>Nothing may be replaced, and <see cref="From"/> is a temporary file: where the protocol has a way that cannot replace, it is taken.</summary>
        public bool IsExclusive { get; init; }

        /// <summary>
        /// The name that <see cref="To"/> keeps a file for, which is away meanwhile: to be recorded (<see cref="IAsideLog.Began"/>) before the rename is sent. Null: the step moves
        /// nothing aside.
        /// </summary>
        public string? Original { get; init; }
    }

    /// <summary>Look at names, together.</summary>
    /// <param name="Paths">The paths, each of which gets a <see cref="NameSight"/>, in order.</param>
    public sealed record Look(IReadOnlyList<string> Paths) : ReplacementStep;

    /// <summary>Delete a file whose content is not needed any more: the new content is in place.</summary>
    /// <param name="Path">The file.</param>
    public sealed record Delete(string Path) : ReplacementStep;

    /// <summary>Let some time pass: a command of a lost session may still be carried out.</summary>
    /// <param name="Time">How long.</param>
    public sealed record Wait(TimeSpan Time) : ReplacementStep;
}
