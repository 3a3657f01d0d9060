using System.Text;

namespace Transfer.Cli.Credentials;

/// <summary>Asks for a secret at the terminal, without echo.</summary>
internal static class TerminalPrompt
{
    /// <summary>Reads a line. Ctrl-C cancels, and leaves the terminal as it was.</summary>
    public static string Read(string prompt, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        Console.Error.Write(prompt);

        // As a key and not as a signal: ReadKey cannot be cancelled, and the echo has to be switched on again.
        var before = Console.TreatControlCAsInput;
        Console.TreatControlCAsInput = true;
        try
        {
            return ReadKeys();
        }
        finally
        {
            Console.TreatControlCAsInput = before;
            Console.Error.WriteLine();
        }
    }

    private static string ReadKeys()
    {
        var secret = new StringBuilder();
        while (true)
        {
            var key = Console.ReadKey(intercept: true);
            switch (key)
            {
                case { Key: ConsoleKey.Enter }:
                    return secret.ToString();
                case { Key: ConsoleKey.C, Modifiers: ConsoleModifiers.Control }:
                case { Key: ConsoleKey.D, Modifiers: ConsoleModifiers.Control } when secret.Length == 0:
                    throw new OperationCanceledException("The question was cancelled.");
                case { Key: ConsoleKey.U, Modifiers: ConsoleModifiers.Control }:
                    secret.Clear();
                    break;
                case { Key: ConsoleKey.Backspace }:
                    if (secret.Length > 0) secret.Length--;
                    break;
                default:
                    if (!char.IsControl(key.KeyChar)) secret.Append(key.KeyChar);
                    break;
            }
        }
    }
}
