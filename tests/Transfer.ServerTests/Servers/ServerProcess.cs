using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// A daemon in a process group of its own, below a shell that ends the group when its standard input closes:
/// so no server outlives a test host that was killed.
/// </summary>
internal sealed class ServerProcess : IDisposable
{
    // $0 is the log. vsftpd complains on descriptor 0, so the log is open there too. A polite end first: ProFTPD then removes
    // its shared memory.
    private const string Supervisor = """
        exec 3<&0
        "$@" 0<>"$0" >>"$0" 2>&1 3<&- &
        cat <&3 >/dev/null
        trap '' TERM
        kill -TERM 0
        { sleep 2; kill -KILL 0; } &
        wait %1
        kill -KILL 0
        """;

    private const int KillSignal = 9;

    private readonly Process _supervisor;

    private ServerProcess(Process supervisor) => _supervisor = supervisor;

    public bool HasExited => _supervisor.HasExited;

    public static ServerProcess Start(string log, string program, IEnumerable<string> arguments, IReadOnlyDictionary<string, string>? environment = null)
    {
        var start = new ProcessStartInfo("setsid", ["sh", "-c", Supervisor, log, program, .. arguments])
        {
            RedirectStandardInput = true,
            WorkingDirectory = "/",
        };
        foreach (var (name, value) in environment ?? new Dictionary<string, string>()) start.Environment[name] = value;
        return new ServerProcess(Process.Start(start)!);
    }

    /// <summary>Ends every process of the server at once, as a crash or the kernel would.</summary>
    public void Kill()
    {
        // The group has the supervisor's id: setsid made it the leader.
        if (!_supervisor.HasExited) _ = kill(-_supervisor.Id, KillSignal);
        _supervisor.WaitForExit();
    }

    public void Dispose()
    {
        if (!_supervisor.HasExited) _supervisor.StandardInput.Close();
        _supervisor.WaitForExit();
        _supervisor.Dispose();
    }

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int kill(int id, int signal);
}
