namespace Transfer.Ftp.Listing;

/// <summary>
/// Walks over the fields of a line, which are separated by any number of spaces and tabs. A copy marks a place to come back to.
/// </summary>
internal ref struct FieldScanner(ReadOnlySpan<char> line)
{
    private ReadOnlySpan<char> _rest = line;

    /// <summary>The text behind the last field, separator included.</summary>
    public readonly ReadOnlySpan<char> Rest => _rest;

    /// <summary>The next field, or an empty span at the end.</summary>
    public ReadOnlySpan<char> Next()
    {
        // Fields and gaps are a few characters: a plain loop is several times faster here than a vectorised search.
        var rest = _rest;
        var start = 0;
        while (start < rest.Length && rest[start] is ' ' or '\t') start++;
        var end = start;
        while (end < rest.Length && rest[end] is not (' ' or '\t')) end++;
        _rest = rest[end..];
        return rest[start..end];
    }

    /// <summary>The next field, without moving.</summary>
    public readonly ReadOnlySpan<char> Peek()
    {
        var copy = this;
        return copy.Next();
    }

    /// <summary>Skips up to <paramref name="most"/> spaces between the last column and a name, which may begin with spaces too.</summary>
    public void SkipSpaces(int most)
    {
        while (most-- > 0 && !_rest.IsEmpty && _rest[0] == ' ') _rest = _rest[1..];
    }
}
