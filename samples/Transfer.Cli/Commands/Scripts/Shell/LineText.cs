using System.Globalization;

namespace Transfer.Cli.Commands.Scripts.Shell;

/// <summary>The text of a line that is edited, and the caret in it.</summary>
internal sealed class LineText
{
    // From Hangul Jamo on, most characters take two columns; those that take one are shown with a gap at the end of a long line only.
    private const int FirstWide = 0x1100;

    private string _text = string.Empty;
    private int _caret;
    private int _start;

    public string Text => _text;

    public string BeforeCaret => _text[.._caret];

    /// <summary>The columns that a text takes at most.</summary>
    public static int Columns(string text) => text.EnumerateRunes().Sum(static rune => rune.Value < FirstWide ? 1 : 2);

    public void Set(string text) => (_text, _caret, _start) = (text, text.Length, 0);

    public void MoveToEnd() => _caret = _text.Length;

    public void Insert(string text)
    {
        _text = _text.Insert(_caret, text);
        _caret += text.Length;
    }

    /// <summary>Does what a key stands for; others do nothing.</summary>
    public void Apply(ConsoleKeyInfo key)
    {
        var isControl = key.Modifiers == ConsoleModifiers.Control;
        switch (key.Key)
        {
            case ConsoleKey.LeftArrow when isControl:
                _caret = WordStart();
                break;
            case ConsoleKey.RightArrow when isControl:
                _caret = WordEnd();
                break;
            case ConsoleKey.LeftArrow or ConsoleKey.B when isControl || key.Key == ConsoleKey.LeftArrow:
                _caret = Before(_caret);
                break;
            case ConsoleKey.RightArrow or ConsoleKey.F when isControl || key.Key == ConsoleKey.RightArrow:
                _caret = Behind(_caret);
                break;
            case ConsoleKey.Home or ConsoleKey.A when isControl || key.Key == ConsoleKey.Home:
                _caret = 0;
                break;
            case ConsoleKey.End or ConsoleKey.E when isControl || key.Key == ConsoleKey.End:
                MoveToEnd();
                break;
            case ConsoleKey.Backspace:
                Remove(Before(_caret), _caret);
                break;
            case ConsoleKey.Delete or ConsoleKey.D when isControl || key.Key == ConsoleKey.Delete:
                Remove(_caret, Behind(_caret));
                break;
            case ConsoleKey.U when isControl:
                Remove(0, _caret);
                break;
            case ConsoleKey.K when isControl:
                Remove(_caret, _text.Length);
                break;
            case ConsoleKey.W when isControl:
                Remove(WordStart(), _caret);
                break;
            default:
                if (!char.IsControl(key.KeyChar)) Insert(key.KeyChar.ToString());
                break;
        }
    }

    /// <summary>The part of the line that fits into some columns and has the caret in it, and the part of that before the caret.</summary>
    public (string Text, string BeforeCaret) Window(int columns)
    {
        if (_caret < _start) _start = _caret;
        while (Columns(_text[_start.._caret]) > columns) _start = Behind(_start);
        var end = _text.Length;
        while (Columns(_text[_start..end]) > columns) end = Before(end);
        return (PrintableText.Of(_text[_start..end]), PrintableText.Of(_text[_start.._caret]));
    }

    // A character may be of several code units, and of several code points (UAX 29).
    private int Behind(int at) => at + StringInfo.GetNextTextElementLength(_text, at);

    private int Before(int at)
    {
        var start = 0;
        for (var next = 0; next < at; next = Behind(next)) start = next;
        return start;
    }

    private int WordStart()
    {
        var at = _caret;
        while (at > 0 && char.IsWhiteSpace(_text[at - 1])) at--;
        while (at > 0 && !char.IsWhiteSpace(_text[at - 1])) at--;
        return at;
    }

    private int WordEnd()
    {
        var at = _caret;
        while (at < _text.Length && char.IsWhiteSpace(_text[at])) at++;
        while (at < _text.Length && !char.IsWhiteSpace(_text[at])) at++;
        return at;
    }

    private void Remove(int from, int to)
    {
        _text = _text.Remove(from, to - from);
        _caret = from;
    }
}
