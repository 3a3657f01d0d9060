namespace Transfer.Ftp.Session;

/// <summary>The names of one listing, as long as they take no more memory than a listing may.</summary>
/// <param name="limit">The most bytes.</param>
internal sealed class KeptNames(long limit)
{
    // A string's header and place in the set.
    private const long Fixed = 60;

    private readonly HashSet<string> _names = [];
    private long _bytes;

    public IReadOnlySet<string> Names => _names;

    /// <summary>Keeps one more name; null: too many.</summary>
    public KeptNames? Add(string name)
    {
        _bytes += Fixed + 2L * name.Length;
        _names.Add(name);
        return _bytes <= limit ? this : null;
    }
}
