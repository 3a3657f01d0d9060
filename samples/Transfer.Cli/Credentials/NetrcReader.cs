using System.Text;

namespace Transfer.Cli.Credentials;

/// <summary>Splits a .netrc into words: white space between them, double quotes around them, a backslash before any character.</summary>
internal ref struct NetrcReader(ReadOnlySpan<char> text)
{
    private readonly ReadOnlySpan<char> _text = text;
    private int _position;

    /// <summary>The line the last word ended on, from 1.</summary>
    public int Line { get; private set; } = 1;

    /// <summary>The next word, or null at the end.</summary>
    public string? Next()
    {
        while (_position < _text.Length && char.IsWhiteSpace(_text[_position])) Advance();
        if (_position == _text.Length) return null;

        var word = new StringBuilder();
        var quoted = false;
        for (; _position < _text.Length; Advance())
        {
            var c = _text[_position];
            if (!quoted && char.IsWhiteSpace(c)) break;
            if (c == '"')
            {
                quoted = !quoted;
                continue;
            }

            var escapes = c == '\\' && _position + 1 < _text.Length;
            if (escapes) Advance();
            word.Append(_text[_position]);
        }

        if (quoted) throw new FormatException("a quote that is never closed");
        return word.ToString();
    }

    /// <summary>Goes behind the line's end: the rest is a comment.</summary>
    public void SkipLine()
    {
        while (_position < _text.Length && _text[_position] != '\n') Advance();
    }

    /// <summary>Goes behind the next empty line, which ends a macro.</summary>
    public void SkipMacro()
    {
        SkipLine();
        while (_position < _text.Length)
        {
            Advance();
            var start = _position;
            SkipLine();
            if (_text[start.._position].Trim('\r').IsEmpty) return;
        }
    }

    private void Advance()
    {
        if (_text[_position++] == '\n') Line++;
    }
}
