namespace Transfer.Modes;

/// <summary>One operation of a symbolic mode (POSIX.1-2017, chmod, extended description).</summary>
/// <param name="Who">The bits of the classes named; 0: no class named, which means all but for the umask.</param>
/// <param name="Operator"><c>+</c>, <c>-</c> or <c>=</c>.</param>
/// <param name="What">The permissions, each for owner, group and other users at once, with <c>s</c> and <c>t</c>.</param>
/// <param name="CopiesFrom">The class whose permissions are copied: <c>u</c>, <c>g</c> or <c>o</c>; null: none.</param>
/// <param name="ExecutesWhereFitting"><c>X</c>: executing too, for directories, and for files that any class may execute.</param>
internal readonly record struct ModeClause(UnixFileMode Who, char Operator, UnixFileMode What, char? CopiesFrom, bool ExecutesWhereFitting)
{
    private const UnixFileMode All = (UnixFileMode)0b111_111_111_111;
    private const UnixFileMode Read = (UnixFileMode)0b100_100_100;
    private const UnixFileMode Write = (UnixFileMode)0b010_010_010;
    private const UnixFileMode Execute = (UnixFileMode)0b001_001_001;
    private const UnixFileMode Special = UnixFileMode.SetUser | UnixFileMode.SetGroup;

    /// <summary>Parses clauses with commas between; null: invalid.</summary>
    public static IReadOnlyList<ModeClause>? Parse(string text)
    {
        var clauses = new List<ModeClause>();
        foreach (var part in text.Split(','))
        {
            if (!Parse(part, clauses)) return null;
        }
        return clauses;
    }

    /// <summary>Returns the permissions after the operation.</summary>
    public UnixFileMode Apply(UnixFileMode present, bool isDirectory, UnixFileMode umask)
    {
        var bits = What;
        if (CopiesFrom is { } from) bits |= Spread((int)present >> ShiftOf(from) & 7);
        if (ExecutesWhereFitting && (isDirectory || (present & Execute) != 0)) bits |= Execute;
        bits &= Who == 0 ? All & ~umask : Who;
        if (Operator == '+') return present | bits;
        if (Operator == '-') return present & ~bits;
        var cleared = Who == 0 ? All : Who;
        // A directory keeps set-user-id and set-group-id unless they are named.
        if (isDirectory) cleared &= ~(Special & ~What);
        return present & ~cleared | bits;
    }

    private static bool Parse(string text, List<ModeClause> clauses)
    {
        var at = 0;
        UnixFileMode who = 0;
        for (; at < text.Length && ClassOf(text[at]) is { } named; at++) who |= named;
        if (at == text.Length) return false;
        while (at < text.Length)
        {
            var operation = text[at++];
            if (operation is not ('+' or '-' or '=')) return false;
            var (what, fitting) = (default(UnixFileMode), false);
            char? copies = null;
            for (; at < text.Length && text[at] is not ('+' or '-' or '='); at++)
            {
                if (text[at] is 'u' or 'g' or 'o' && copies is null && what == 0 && !fitting) copies = text[at];
                else if (copies is null && text[at] == 'X') fitting = true;
                else if (copies is null && BitsOf(text[at]) is { } bits) what |= bits;
                else return false;
            }
            clauses.Add(new(who, operation, what, copies, fitting));
        }
        return true;
    }

    private static UnixFileMode? ClassOf(char letter) => letter switch
    {
        'u' => (UnixFileMode)0b100_111_000_000,
        'g' => (UnixFileMode)0b010_000_111_000,
        'o' => (UnixFileMode)0b001_000_000_111,
        'a' => All,
        _ => null,
    };

    private static UnixFileMode? BitsOf(char letter) => letter switch
    {
        'r' => Read,
        'w' => Write,
        'x' => Execute,
        's' => Special,
        't' => UnixFileMode.StickyBit,
        _ => null,
    };

    private static int ShiftOf(char letter) => letter switch { 'u' => 6, 'g' => 3, _ => 0 };

    private static UnixFileMode Spread(int three) => (UnixFileMode)(three << 6 | three << 3 | three);
}
