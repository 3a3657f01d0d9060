using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Cli.Tests;

/// <summary>The command at a terminal of its own (pts(4), Linux), which can be hung up.</summary>
internal sealed class TerminalProgram : IDisposable
{
    private const int ReadWrite = 0x2;
    private const int NoControllingTerminal = 0x100;
    private const int NonBlocking = 0x800;
    private const int CloseOnExec = 0x80000;
    private const int SetLock = 0x40045431;
    private const int GetNumber = unchecked((int)0x80045430);

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly SafeFileHandle _terminal;
    private readonly string _path;
    private readonly Process _process;
    private readonly StringBuilder _shown = new();

    public TerminalProgram(TempFolder folder, params string[] args)
    {
        var flags = ReadWrite | NoControllingTerminal | NonBlocking | CloseOnExec;
        _terminal = new SafeFileHandle(Open("/dev/ptmx\0"u8.ToArray(), flags), ownsHandle: true);
        var value = 0;
        if (_terminal.IsInvalid || Control(_terminal, SetLock, ref value) != 0 || Control(_terminal, GetNumber, ref value) != 0)
            throw new InvalidOperationException($"There is no terminal: {Marshal.GetLastPInvokeErrorMessage()}.");
        _path = string.Create(CultureInfo.InvariantCulture, $"/dev/pts/{value}");

        // Whoever runs the tests in the background may have signals ignored, and children inherit that: see env(1).
        var start = new ProcessStartInfo("bash", [
            "-c", "exec env --default-signal=INT,HUP,TERM setsid --ctty \"$@\" <>\"$0\" >&0 2>&0", _path, CommandProgram.Path, .. args])
        {
            Environment = { ["XDG_STATE_HOME"] = folder["state"], ["HOME"] = folder["home"], ["TERM"] = "xterm" },
        };
        start.Environment.Remove("SSH_AUTH_SOCK");
        start.Environment.Remove("TRANSFER_PASSWORD");
        _process = Process.Start(start)!;
    }

    /// <summary>All that the terminal has shown.</summary>
    public string Shown => _shown.ToString();

    /// <summary>Whether the terminal shows what is typed, and makes Ctrl-C a signal.</summary>
    public async Task<(bool Echo, bool Signals)> FlagsAsync()
    {
        using var stty = Process.Start(new ProcessStartInfo("stty", ["-a", "-F", _path]) { RedirectStandardOutput = true })!;
        var words = (await stty.StandardOutput.ReadToEndAsync()).Split([' ', '\n', ';'], StringSplitOptions.RemoveEmptyEntries);
        return (words.Contains("echo"), words.Contains("isig"));
    }

    public void Dispose()
    {
        if (!_process.HasExited) _process.Kill();
        _process.Dispose();
        _terminal.Dispose();
    }

    /// <summary>Waits until the terminal shows a text.</summary>
    public Task WaitForAsync(string text) => WaitAsync(() => Shown.Contains(text, StringComparison.Ordinal), text);

    public void Type(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        if (Write(_terminal, bytes, bytes.Length) != bytes.Length) throw new IOException("The terminal takes nothing.");
    }

    public void HangUp() => _terminal.Dispose();

    public void Send(string signal)
    {
        using var kill = Process.Start("kill", ["-" + signal, _process.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
    }

    /// <summary>Waits for the end.</summary>
    /// <returns>The exit code; 128 and the number of the signal that ended the command.</returns>
    public async Task<int> EndAsync()
    {
        await WaitAsync(() => _process.HasExited, "the end");
        Read();
        return _process.ExitCode;
    }

    private async Task WaitAsync(Func<bool> isDone, string what)
    {
        var started = Stopwatch.GetTimestamp();
        while (!isDone())
        {
            if (Stopwatch.GetElapsedTime(started) > Patience) throw new TimeoutException($"{what} did not come: {Shown}");
            if (Read()) continue;
            if (_process.HasExited && !isDone()) throw new InvalidOperationException($"The command ended before {what} came: {Shown}");
            await Task.Delay(20);
        }
    }

    private bool Read()
    {
        if (_terminal.IsClosed) return false;
        var part = new byte[4096];
        var length = Read(_terminal, part, part.Length);
        if (length > 0) _shown.Append(Encoding.UTF8.GetString(part, 0, (int)length));
        return length > 0;
    }

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Open(byte[] path, int flags);

    [DllImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Control(SafeFileHandle file, int request, ref int value);

    [DllImport("libc", EntryPoint = "read")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint Read(SafeFileHandle file, byte[] bytes, nint length);

    [DllImport("libc", EntryPoint = "write")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern nint Write(SafeFileHandle file, byte[] bytes, nint length);
}
