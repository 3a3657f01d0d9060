using System.Runtime.InteropServices;

namespace Transfer.Cli.Host;

/// <summary>
/// Runs a command of the system's shell and reads what the command prints, by popen (IEEE 1003.1): System.Diagnostics.Process does the
/// same, and makes the program larger by more than it may grow.
/// </summary>
internal static partial class ShellPipe
{
    /// <summary>Runs a command without standard input. Standard error is that of this process.</summary>
    /// <param name="command">The command, for /bin/sh, or cmd.exe on Windows.</param>
    /// <param name="most">The most bytes to read; the rest is read and dropped.</param>
    /// <returns>The output, one byte more than <paramref name="most"/> where there is more, and the exit code; null: the shell could not be
    /// started.</returns>
    public static (byte[] Output, int ExitCode)? Run(string command, int most)
    {
        var stream = OperatingSystem.IsWindows() ? OpenOnWindows($"{command} <nul", "rb") : Open($"exec </dev/null\n{command}", "r");
        if (stream == 0) return null;
        var (output, length, rest) = (new byte[most + 1], 0, new byte[512]);
        while (true)
        {
            var room = length < output.Length;
            var read = Read(room ? output.AsSpan(length) : rest, stream);
            if (read == 0) break;
            if (room) length += read;
        }

        return (output[..length], Close(stream));
    }

    private static int Read(Span<byte> buffer, nint stream) => (int)(OperatingSystem.IsWindows()
        ? ReadOnWindows(buffer, 1, (nuint)buffer.Length, stream) : Read(buffer, 1, (nuint)buffer.Length, stream));

    // A status of wait(2): the exit code, or the signal that ended the command.
    private static int Close(nint stream)
    {
        if (OperatingSystem.IsWindows()) return CloseOnWindows(stream);
        var status = CloseStream(stream);
        return (status & 0x7f) == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f);
    }

    [LibraryImport("libc", EntryPoint = "popen", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint Open(string command, string mode);

    [LibraryImport("libc", EntryPoint = "fread")]
    private static partial nuint Read(Span<byte> buffer, nuint size, nuint count, nint stream);

    [LibraryImport("libc", EntryPoint = "pclose")]
    private static partial int CloseStream(nint stream);

    [LibraryImport("ucrtbase", EntryPoint = "_wpopen", StringMarshalling = StringMarshalling.Utf16)]
    private static partial nint OpenOnWindows(string command, string mode);

    [LibraryImport("ucrtbase", EntryPoint = "fread")]
    private static partial nuint ReadOnWindows(Span<byte> buffer, nuint size, nuint count, nint stream);

    [LibraryImport("ucrtbase", EntryPoint = "_pclose")]
    private static partial int CloseOnWindows(nint stream);
}
