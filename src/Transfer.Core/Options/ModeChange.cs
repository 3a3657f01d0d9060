using Transfer.Modes;

namespace Transfer;

/// <summary>
/// A change of permissions in the form of chmod(1) (POSIX.1-2017): an octal number of up to four digits, or clauses such as
/// <c>u=rw,go-w</c>. Immutable.
/// </summary>
public sealed class ModeChange
{
    private readonly UnixFileMode? _octal;
    private readonly IReadOnlyList<ModeClause> _clauses;

    private ModeChange(UnixFileMode? octal, IReadOnlyList<ModeClause> clauses)
    {
        _octal = octal;
        _clauses = clauses;
    }

    /// <summary>Whether the change depends on the present permissions, which must then be known.</summary>
    public bool NeedsPresent => _octal is null;

    /// <summary>Creates a change to exactly these permissions.</summary>
    /// <param name="mode">Up to twelve bits.</param>
    public static ModeChange To(UnixFileMode mode) => new(mode, []);

    /// <summary>Parses a change.</summary>
    /// <param name="text">
    /// Octal digits, or clauses with commas between: <c>ugoa</c>, then <c>+</c>, <c>-</c> or <c>=</c>, then <c>rwxXst</c> or one of
    /// <c>ugo</c>.
    /// </param>
    /// <param name="change">The change; null: an invalid text.</param>
    public static bool TryParse(string text, [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out ModeChange? change)
    {
        ArgumentNullException.ThrowIfNull(text);
        change = ParseOctal(text) is { } octal ? new(octal, []) : ModeClause.Parse(text) is { } clauses ? new(null, clauses) : null;
        return change is not null;
    }

    /// <summary>Parses a change.</summary>
    /// <inheritdoc cref="TryParse"/>
    /// <exception cref="FormatException">The text is no change of permissions.</exception>
    public static ModeChange Parse(string text) =>
        TryParse(text, out var change) ? change
        : throw new FormatException("A mode is an octal number such as 640, or clauses such as u=rw,go-w.");

    /// <summary>Returns the permissions after the change.</summary>
    /// <param name="present">The present permissions.</param>
    /// <param name="isDirectory">
    /// Whether the entry is a directory, whose set-user-id and set-group-id an octal number sets but never clears.
    /// </param>
    /// <param name="umask">The bits that a clause without a class leaves unchanged.</param>
    public UnixFileMode Apply(UnixFileMode present, bool isDirectory, UnixFileMode umask)
    {
        if (_octal is { } octal) return isDirectory ? octal | present & (UnixFileMode.SetUser | UnixFileMode.SetGroup) : octal;
        foreach (var clause in _clauses) present = clause.Apply(present, isDirectory, umask & FinalMode.Permissions);
        return present;
    }

    private static UnixFileMode? ParseOctal(string text)
    {
        if (text.Length is 0 or > 4) return null;
        foreach (var digit in text)
        {
            if (digit is < '0' or > '7') return null;
        }
        return (UnixFileMode)Convert.ToInt32(text, 8);
    }
}
