using System.Text;

namespace Transfer.Cli.Host;

/// <summary>Asks at the terminal.</summary>
internal static class TerminalPrompt
{
    /// <summary>Reads a line that is not shown. Ctrl-C cancels, and leaves the terminal as it was.</summary>
    public static string ReadSecret(string prompt, CancellationToken ct) => Read(prompt, isShown: false, ct);

    /// <summary>The same for a line that may be seen while it is typed.</summary>
    public static string ReadShown(string prompt, CancellationToken ct) => Read(prompt, isShown: true, ct);

    private static string Read(string prompt, bool isShown, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        Console.Error.Write(prompt);

        // As a key and not as a signal: ReadKey cannot be cancelled, and the echo has to be switched on again.
        var before = Console.TreatControlCAsInput;
        Console.TreatControlCAsInput = true;
        try
        {
            return ReadKeys(isShown);
        }
        finally
        {
            Console.TreatControlCAsInput = before;
            Console.Error.WriteLine();
        }
    }

    private static string ReadKeys(bool isShown)
    {
        var answer = new StringBuilder();
        while (true)
        {
            var key = Console.ReadKey(intercept: true);
            switch (key)
            {
                case { Key: ConsoleKey.Enter }:
                    return answer.ToString();
                case { Key: ConsoleKey.C, Modifiers: ConsoleModifiers.Control }:
                case { Key: ConsoleKey.D, Modifiers: ConsoleModifiers.Control } when answer.Length == 0:
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
                    if (isShown) Console.Error.Write(key.KeyChar);
                    break;
            }
        }
    }

    private static void Remove(StringBuilder answer, int count, bool isShown)
    {
        answer.Length -= count;
        if (isShown) Console.Error.Write(string.Concat(Enumerable.Repeat("\b \b", count)));
    }
}
