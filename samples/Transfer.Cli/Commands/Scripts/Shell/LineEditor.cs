namespace Transfer.Cli.Commands.Scripts.Shell;

/// <summary>
/// Edits a line at a terminal: the keys of Emacs and of the arrows, a history, completion by Tab. No cursor is addressed: a line is
/// printed anew from its start, and once more up to the caret, which is right on every terminal and for wide characters too.
/// </summary>
/// <param name="terminal">The terminal.</param>
/// <param name="output">Receives what is shown.</param>
/// <param name="history">The lines before, the oldest first.</param>
/// <param name="complete">Completes the text before the caret.</param>
internal sealed class LineEditor(
    ShellTerminal terminal, TextWriter output, IReadOnlyList<string> history, Func<string, CancellationToken, Task<Completion>> complete)
{
    private readonly LineText _line = new();
    private string _prompt = string.Empty;
    private int _shown;
    private int _past;
    private string _draft = string.Empty;

    /// <summary>Reads a line.</summary>
    /// <param name="prompt">The text before the line.</param>
    /// <param name="ct">Ends the wait for a key, and a completion.</param>
    /// <returns>The line; empty after Ctrl-C; null at the end, Ctrl-D.</returns>
    public async Task<string?> ReadAsync(string prompt, CancellationToken ct)
    {
        (_prompt, _shown, _past, _draft) = (prompt, 0, history.Count, string.Empty);
        _line.Set(string.Empty);
        Show();
        while (true)
        {
            var key = terminal.ReadKey(ct);
            switch (key)
            {
                case { Key: ConsoleKey.Enter }:
                    _line.MoveToEnd();
                    Show();
                    output.WriteLine();
                    return _line.Text;
                case { Key: ConsoleKey.C, Modifiers: ConsoleModifiers.Control }:
                    output.WriteLine("^C");
                    return string.Empty;
                case { Key: ConsoleKey.D, Modifiers: ConsoleModifiers.Control } when _line.Text.Length == 0:
                    output.WriteLine();
                    return null;
                case { Key: ConsoleKey.Tab }:
                    await CompleteAsync(ct);
                    break;
                case { Key: ConsoleKey.UpArrow } or { Key: ConsoleKey.P, Modifiers: ConsoleModifiers.Control }:
                    Recall(_past - 1);
                    break;
                case { Key: ConsoleKey.DownArrow } or { Key: ConsoleKey.N, Modifiers: ConsoleModifiers.Control }:
                    Recall(_past + 1);
                    break;
                default:
                    _line.Apply(key);
                    break;
            }

            Show();
        }
    }

    private void Recall(int index)
    {
        if (index < 0 || index > history.Count) return;
        if (_past == history.Count) _draft = _line.Text;
        _past = index;
        _line.Set(index == history.Count ? _draft : history[index]);
    }

    private async Task CompleteAsync(CancellationToken ct)
    {
        var found = await complete(_line.BeforeCaret, ct);
        _line.Insert(found.Insert);
        if (found.Choices.Count == 0) return;
        output.WriteLine();
        foreach (var choice in found.Choices) output.WriteLine(PrintableText.Of(choice));
        _shown = 0;
    }

    private void Show()
    {
        var room = Math.Max(8, terminal.Width() - LineText.Columns(_prompt) - 1);
        var (text, before) = _line.Window(room);
        var shown = LineText.Columns(text);
        output.Write($"\r{_prompt}{text}{new string(' ', Math.Max(0, _shown - shown))}\r{_prompt}{before}");
        _shown = shown;
    }
}
