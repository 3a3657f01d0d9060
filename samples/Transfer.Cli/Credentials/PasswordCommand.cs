using System.ComponentModel;
using System.Diagnostics;
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
    /// <param name="command">The command.</param>
    /// <param name="option">The option that has the command.</param>
    /// <param name="ct">Ends the command: it may wait for a passphrase.</param>
    public static string Run(string command, string option, CancellationToken ct)
    {
        // Standard input may be the content of a file, and is not for the command.
        var how = OperatingSystem.IsWindows()
            ? new ProcessStartInfo("cmd.exe", $"/d /s /c \"{command}\"") : new ProcessStartInfo("/bin/sh", ["-c", command]);
        (how.RedirectStandardInput, how.RedirectStandardOutput, how.StandardOutputEncoding) = (true, true, Encoding.UTF8);
        using var process = new Process { StartInfo = how };
        try
        {
            process.Start();
            using var end = ct.UnsafeRegister(_ => End(process), null);
            process.StandardInput.Close();
            return FirstLine(process, option, ct);
        }
        catch (Exception e) when (e is Win32Exception or IOException)
        {
            throw new UsageException($"{option}: the shell cannot be run ({e.Message}).");
        }
    }

    private static string FirstLine(Process process, string option, CancellationToken ct)
    {
        var buffer = new char[MaxLength];
        var text = buffer.AsSpan(0, process.StandardOutput.ReadBlock(buffer));
        if (text.Length == MaxLength) End(process);
        process.WaitForExit();
        ct.ThrowIfCancellationRequested();
        if (text.Length == MaxLength) throw new UsageException($"{option}: the command prints more than a password.");
        if (process.ExitCode != 0) throw new UsageException($"{option}: the command ended with {process.ExitCode}.");
        var end = text.IndexOfAny('\r', '\n');
        var line = end < 0 ? text : text[..end];
        return line.IsEmpty ? throw new UsageException($"{option}: the command prints no password.") : line.ToString();
    }

    private static void End(Process process)
    {
        try
        {
            process.Kill(entireProcessTree: true);
        }
        catch (InvalidOperationException)
        {
            // The command has ended by itself.
        }
    }
}
