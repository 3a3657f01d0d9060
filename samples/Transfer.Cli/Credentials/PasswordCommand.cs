using System.Text;

namespace Transfer.Cli.Credentials;

/// <summary>
/// Runs the command that prints a password. No message repeats anything of the output, nor the command: somebody may have given the
/// password instead.
/// </summary>
internal static class PasswordCommand
{
    private const int MaxLength = 64 * 1024;

    /// <summary>Runs a command by the system's shell, and returns the first line of its output. Its errors go to standard error.</summary>
    /// <param name="command">The command. Ctrl-C at the terminal ends it too.</param>
    /// <param name="option">The option that has the command.</param>
    /// <param name="ct">Ends the run behind the command.</param>
    public static string Run(string command, string option, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (ShellPipe.Run(command, MaxLength) is not { } run)
            throw new UsageException($"{option}: the shell cannot be run.");
        var (output, exitCode) = run;
        ct.ThrowIfCancellationRequested();
        if (output.Length > MaxLength) throw new UsageException($"{option}: the command prints more than a password.");
        if (exitCode != 0) throw new UsageException($"{option}: the command ended with {exitCode}.");
        var end = output.AsSpan().IndexOfAny((byte)'\r', (byte)'\n');
        var line = Encoding.UTF8.GetString(end < 0 ? output : output.AsSpan(0, end));
        return line.Length == 0 ? throw new UsageException($"{option}: the command prints no password.") : line;
    }
}
