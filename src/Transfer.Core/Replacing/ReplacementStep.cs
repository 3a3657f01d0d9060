using Transfer.Local;

namespace Transfer.Replacing;

/// <summary>A step of a <see cref="Replacement"/>.</summary>
public abstract record ReplacementStep
{
    private ReplacementStep()
    {
    }

    /// <summary>Renames one name to another. Steps of this kind that are wanted together may leave in one write, in order.</summary>
    /// <param name="From">The present path.</param>
    /// <param name="To">The new path.</param>
    public sealed record Rename(string From, string To) : ReplacementStep
    {
        /// <summary>Whether the rename itself may replace an existing file at <see cref="To"/>.</summary>
        public bool Replaces { get; init; }

        /// <summary>
        /// Whether nothing may be replaced and <see cref="From"/> is a temporary file: a way that cannot replace is used where the protocol
        /// has one.
        /// </summary>
        public bool IsExclusive { get; init; }

        /// <summary>Whether <see cref="From"/> is a directory; false: not known to be one.</summary>
        public bool IsDirectory { get; init; }

        /// <summary>
        /// The proper name of the file that <see cref="To"/> holds meanwhile: to be recorded (<see cref="IAsideLog.Began"/>) before the
        /// rename is sent. Null: the step moves no file aside.
        /// </summary>
        public string? Original { get; init; }

        /// <summary>
        /// Whether both names may be one to the server, as they differ in case or in Unicode's form only: a look at the old name then finds
        /// the renamed file.
        /// </summary>
        public bool MayBeOneName => LocalNames.Lenient.Equals(From, To);
    }

    /// <summary>Looks at names, together.</summary>
    /// <param name="Paths">The paths, each of which gets a <see cref="NameSight"/>, in order.</param>
    public sealed record Look(IReadOnlyList<string> Paths) : ReplacementStep;

    /// <summary>Deletes a file that is not needed any more: the new content is in place.</summary>
    /// <param name="Path">The file.</param>
    public sealed record Delete(string Path) : ReplacementStep;

    /// <summary>Lets some time pass: a command of a lost session may still be carried out.</summary>
    /// <param name="Time">The time.</param>
    public sealed record Wait(TimeSpan Time) : ReplacementStep;
}
