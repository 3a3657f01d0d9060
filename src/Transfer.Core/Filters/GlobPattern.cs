using System.Buffers;

namespace Transfer.Filters;

/// <summary>
/// One pattern of a filter, as <see cref="TransferFilter"/> defines. All ways through the pattern are followed side by side, so that the
/// time is at most proportional to the product of the lengths of pattern and path.
/// </summary>
internal sealed class GlobPattern
{
    public const int MaxLength = 4096;

    private readonly GlobPiece[] _pieces;
    private readonly bool _foldersOnly;
    private readonly bool _wholePath;

    public GlobPattern(string pattern)
    {
        Check(pattern);
        var text = pattern.AsSpan();
        if (text.Length > 1 && text[^1] == '/')
        {
            _foldersOnly = true;
            text = text[..^1];
        }
        _wholePath = text.Contains('/');
        if (text[0] == '/') text = text[1..];
        _pieces = [.. new GlobParser(text).Parse()];
    }

    /// <exception cref="ArgumentException">The text can't be a pattern.</exception>
    public static void Check(string pattern)
    {
        ArgumentException.ThrowIfNullOrEmpty(pattern);
        if (pattern.Length > MaxLength) throw new ArgumentException($"A pattern has at most {MaxLength} characters.", nameof(pattern));
    }

    /// <summary>Whether the pattern matches this path; the folders above are not considered.</summary>
    /// <param name="path">Relative to the job's folder, with forward slashes.</param>
    /// <param name="isDirectory">Whether the path is a folder's.</param>
    public bool IsMatch(ReadOnlySpan<char> path, bool isDirectory)
    {
        if (_foldersOnly && !isDirectory) return false;
        return Run(_wholePath ? path : path[(path.LastIndexOf('/') + 1)..]);
    }

    private bool Run(ReadOnlySpan<char> text)
    {
        var states = _pieces.Length + 1;
        var rented = ArrayPool<bool>.Shared.Rent(2 * states);
        try
        {
            var now = rented.AsSpan(0, states);
            var next = rented.AsSpan(states, states);
            now.Clear();
            Enter(now, 0);
            while (!text.IsEmpty)
            {
                var c = CodePoints.Take(ref text);
                next.Clear();
                if (!Step(now, next, c)) return false;
                var done = now;
                now = next;
                next = done;
            }
            return now[^1];
        }
        finally
        {
            ArrayPool<bool>.Shared.Return(rented);
        }
    }

    // In ascending order: entering a piece comes before staying in the piece.
    private bool Step(ReadOnlySpan<bool> now, Span<bool> next, int c)
    {
        var alive = false;
        for (var i = 0; i < _pieces.Length; i++)
        {
            if (!now[i]) continue;
            switch (_pieces[i].Token)
            {
                case GlobToken.Run when c != '/':
                case GlobToken.Everything:
                    Enter(next, i);
                    alive = true;
                    break;
                case GlobToken.Folders:
                    if (c == '/') Enter(next, i);
                    else next[i] = true;
                    alive = true;
                    break;
                case GlobToken.Literal when c == _pieces[i].Character:
                case GlobToken.Any when c != '/':
                case GlobToken.Set when _pieces[i].Set!.Contains(c):
                    Enter(next, i + 1);
                    alive = true;
                    break;
            }
        }
        return alive;
    }

    // Once more from a piece that was only stayed in: behind a slash the folders may be over.
    private void Enter(Span<bool> states, int i)
    {
        states[i] = true;
        while (i < _pieces.Length && _pieces[i].MayBeEmpty) states[++i] = true;
    }
}
