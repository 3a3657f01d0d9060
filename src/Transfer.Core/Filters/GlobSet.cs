namespace Transfer.Filters;

/// <summary>The characters between brackets.</summary>
/// <param name="Negated">Whether all other characters are meant.</param>
/// <param name="Ranges">First and last character of each range.</param>
internal sealed record GlobSet(bool Negated, IReadOnlyList<(int First, int Last)> Ranges)
{
    public bool Contains(int c)
    {
        if (c == '/') return false;
        foreach (var (first, last) in Ranges)
        {
            if (c >= first && c <= last) return !Negated;
        }
        return Negated;
    }
}
