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
        _names.Add(name);
        return Count(Fixed + 2L * name.Length);
    }

    /// <summary>Counts a line whose name is not kept: a server may send such lines without end. Null: too many.</summary>
    public KeptNames? Drop(int bytes) => Count(bytes);

    private KeptNames? Count(long bytes) => (_bytes += bytes) <= limit ? this : null;
}
