using System.Text;

namespace Transfer.Cli.Host;

/// <summary>Asks at the terminal. A question ends with the run, or the line of a shell; Ctrl-C and Ctrl-D stop that.</summary>
internal sealed class TerminalPrompt(Interruption interruption)
{
    private readonly TextWriter _error = MessageOutput.Over(Console.Error);

    /// <summary>Reads a line that is not shown.</summary>
    public string ReadSecret(string prompt, CancellationToken ct) => Read(prompt, isShown: false, ct);

    /// <summary>The same for a line that may be seen while it is typed.</summary>
    public string ReadShown(string prompt, CancellationToken ct) => Read(prompt, isShown: true, ct);

    private string Read(string prompt, bool isShown, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct, interruption.Token, interruption.LineToken);
        stop.Token.ThrowIfCancellationRequested();
        // Before the question: an answer may be typed as soon as that is seen.
        TerminalKeys.Hide();
        _error.Write(prompt);
        try
        {
            return ReadKeys(isShown, stop.Token);
        }
        catch (OperationCanceledException)
        {
            // Whoever waits for the answer's use ends as cancelled, before the use fails for want of an answer.
            interruption.WaitForStop();
            throw;
        }
        finally
        {
            _error.WriteLine();
        }
    }

    private string ReadKeys(bool isShown, CancellationToken ct)
    {
        var answer = new StringBuilder();
        while (true)
        {
            var key = TerminalKeys.Read(interruption, ct);
            switch (key)
            {
                case { Key: ConsoleKey.Enter }:
                    return answer.ToString();
                case { Key: ConsoleKey.C, Modifiers: ConsoleModifiers.Control }:
                case { Key: ConsoleKey.D, Modifiers: ConsoleModifiers.Control } when answer.Length == 0:
                    interruption.Stop();
                    throw new OperationCanceledException("The question was cancelled.");
                case { Key: ConsoleKey.U, Modifiers: ConsoleModifiers.Control }:
                    Remove(answer, answer.Length, isShown);
                    break;
                case { Key: ConsoleKey.Backspace }:
                    Remove(answer, Math.Min(1, answer.Length), isShown);
                    break;
                default:
                    if (char.IsControl(key.KeyChar)) break;
                    answer.Append(key.KeyChar);
                    if (isShown) _error.Write(key.KeyChar);
                    break;
            }
        }
    }

    private void Remove(StringBuilder answer, int count, bool isShown)
    {
        answer.Length -= count;
        if (isShown) _error.Write(string.Concat(Enumerable.Repeat("\b \b", count)));
    }
}
