namespace Transfer.Filters;

/// <summary>Parses a pattern; see <see cref="TransferFilter"/>. Every text is a pattern: a bracket without an end stands for
/// itself.</summary>
internal ref struct GlobParser
{
    private ReadOnlySpan<char> _rest;
    private bool _atStart = true; // of the path, or of a component

    public GlobParser(ReadOnlySpan<char> pattern) => _rest = pattern;

    public List<GlobPiece> Parse()
    {
        var pieces = new List<GlobPiece>(_rest.Length);
        while (_rest.Length > 0)
        {
            var piece = Next();
            _atStart = piece is { Token: GlobToken.Literal, Character: '/' } or { Token: GlobToken.Folders };
            pieces.Add(piece);
        }
        return pieces;
    }

    private GlobPiece Next()
    {
        switch (_rest[0])
        {
            case '*':
                return Stars();
            case '?':
                _rest = _rest[1..];
                return new(GlobToken.Any);
            case '[' when TryTakeSet(out var set):
                return new(GlobToken.Set, Set: set);
            default:
                return new(GlobToken.Literal, Element(ref _rest));
        }
    }

    private GlobPiece Stars()
    {
        var stars = _rest.IndexOfAnyExcept('*') is var end and >= 0 ? end : _rest.Length;
        _rest = _rest[stars..];
        if (stars == 1) return new(GlobToken.Run);
        if (!_atStart || _rest is not ['/', ..]) return new(GlobToken.Everything);
        _rest = _rest[1..];
        return new(GlobToken.Folders);
    }

    private bool TryTakeSet(out GlobSet? set)
    {
        set = null;
        var at = _rest[1..];
        var negated = at is ['!' or '^', ..];
        if (negated) at = at[1..];
        var ranges = new List<(int, int)>();
        do
        {
            if (at.IsEmpty) return false;
            var first = Element(ref at);
            var last = first;
            if (at is ['-', not ']', ..])
            {
                at = at[1..];
                last = Element(ref at);
            }
            ranges.Add((first, last));
        }
        while (at is not [']', ..]); // one right at the beginning is an element
        _rest = at[1..];
        set = new(negated, ranges);
        return true;
    }

    private static int Element(ref ReadOnlySpan<char> text)
    {
        if (text is ['\\', _, ..]) text = text[1..];
        return CodePoints.Take(ref text);
    }
}
