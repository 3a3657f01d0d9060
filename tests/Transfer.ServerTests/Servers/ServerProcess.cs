using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// A daemon in a process group of its own, below a shell that ends the group when its standard input closes:
/// so no server outlives a test host that was killed.
/// </summary>
internal sealed class ServerProcess : IDisposable
{
    // $0 is the log. vsftpd complains on descriptor 0, so the log is open there too. A polite end first: ProFTPD then removes
    // its shared memory. The shell itself would say on the console what it ended. It waits by itself: the server is all that is below it.
    private const string Supervisor = """
        exec 3<&0
        "$@" 0<>"$0" >>"$0" 2>&1 3<&- &
        exec 2>/dev/null
        read -r _ <&3
        trap '' TERM
        kill -TERM 0
        { sleep 2; kill -KILL 0; } &
        wait %1
        kill -KILL 0
        """;

    private const int KillSignal = 9;
    private const int StopSignal = 19;

    private readonly Process _supervisor;
    private readonly List<(int Id, long BeganAt)> _frozen = [];

    private ServerProcess(Process supervisor) => _supervisor = supervisor;

    public bool HasExited => _supervisor.HasExited;

    public static ServerProcess Start(string log, string program, IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? environment = null)
    {
        var start = new ProcessStartInfo("setsid", ["sh", "-c", Supervisor, log, program, .. arguments])
        {
            RedirectStandardInput = true,
            WorkingDirectory = "/",
        };
        foreach (var (name, value) in environment ?? new Dictionary<string, string>()) start.Environment[name] = value;
        return new ServerProcess(Process.Start(start)!);
    }

    /// <summary>
    /// Ends every process of the server at once, as a crash or the kernel would; vsftpd's sessions leave the group, so they are looked for.
    /// </summary>
    public void Kill()
    {
        if (!_supervisor.HasExited)
        {
            var sessions = Descendants(_supervisor.Id);
            // The group has the supervisor's id: setsid made it the leader.
            _ = kill(-_supervisor.Id, KillSignal);
            foreach (var session in sessions) _ = kill(session, KillSignal);
        }

        _supervisor.WaitForExit();
    }

    /// <summary>Has the youngest process of the server stand still, and its connection with it.</summary>
    // Numbers of processes begin anew at some time: the largest need not be the youngest. Of those that began in one clock tick the one
    // that was begun by the others comes last.
    public void FreezeYoungest()
    {
        var (id, began) = Descendants(_supervisor.Id).Select(id => (id, BeganAt(id))).OrderBy(process => process.Item2).Last();
        _frozen.Add((id, began));
        _ = kill(id, StopSignal);
    }

    /// <summary>The connections that it serves now.</summary>
    public IReadOnlyList<ServerSession> Sessions()
    {
        if (_supervisor.HasExited) return [];
        var parents = Parents();
        return [.. Below(parents, _supervisor.Id).SelectMany(daemon => Below(parents, daemon)).Select(
            id => new ServerSession(id, Last(parents, id)))];
    }

    /// <summary>Ends the process that serves a connection, as a crash of it would; false: it has ended before.</summary>
    public static bool KillOne(ServerSession session) => kill(session.Serving, KillSignal) == 0;

    public void Dispose()
    {
        if (!_supervisor.HasExited) _supervisor.StandardInput.Close();
        _supervisor.WaitForExit();
        _supervisor.Dispose();
        // A session of sshd is not in the group, and one that stands still heeds no other signal.
        foreach (var (id, began) in _frozen.Where(process => BeganAt(process.Id) == process.BeganAt)) _ = kill(id, KillSignal);
    }

    /// <summary>The processes below one, by what /proc says now.</summary>
    private static List<int> Descendants(int ancestor)
    {
        var parents = Parents();
        var found = new List<int> { ancestor };
        for (var i = 0; i < found.Count; i++) found.AddRange(Below(parents, found[i]));
        return found[1..];
    }

    private static IEnumerable<int> Below(Dictionary<int, int> parents, int parent) =>
        parents.Where(pair => pair.Value == parent).Select(pair => pair.Key);

    // Down to the one that has nobody below it.
    private static int Last(Dictionary<int, int> parents, int id)
    {
        while (Below(parents, id).ToList() is [var child, ..]) id = child;
        return id;
    }

    /// <summary>The parent of every process that has not ended.</summary>
    private static Dictionary<int, int> Parents()
    {
        var parents = new Dictionary<int, int>();
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), out var id) && ParentOf(folder) is { } parent) parents[id] = parent;
        }

        return parents;
    }

    /// <summary>Clock ticks from the system's start to the process's (field 22 of stat, proc(5)); 0: the process has ended.</summary>
    private static long BeganAt(int id) => Stat($"/proc/{id}") is { } fields ? long.Parse(fields[19], CultureInfo.InvariantCulture) : 0;

    private static int? ParentOf(string folder) => Stat(folder) is { } fields ? int.Parse(fields[1], CultureInfo.InvariantCulture) : null;

    /// <summary>
    /// The fields of stat from the third on: the state, the parent, ... The second, the name, is in parentheses and may hold anything
    /// (proc(5)). Null: the process has ended.
    /// </summary>
    private static string[]? Stat(string folder)
    {
        try
        {
            var stat = File.ReadAllText(Path.Combine(folder, "stat"));
            var fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
            return fields[0] is "Z" or "X" ? null : fields;
        }
        catch (IOException)
        {
            return null;
        }
    }

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int kill(int id, int signal);
}
