using System.Collections.Concurrent;
using Transfer.Local;

namespace Transfer.Tests.Local;

/// <summary>Has calls below a folder fail, for the tests that own it. Scripts of other folders run beside it.</summary>
internal sealed class DiskScript : IDisposable
{
    private static readonly ConcurrentDictionary<string, DiskScript> Scripts = new(StringComparer.Ordinal);

    private readonly Lock _gate = new();
    private readonly string _folder;
    private readonly Func<DiskCall, string, int, int> _script;
    private readonly Dictionary<DiskCall, int> _counts = [];

    static DiskScript() => DiskFaults.Script = RunAny;

    /// <param name="folder">The folder.</param>
    /// <param name="script">Gets the call, its path and how many of its kind there were with it; gives the error's number or 0.</param>
    public DiskScript(string folder, Func<DiskCall, string, int, int> script)
    {
        _folder = folder;
        _script = script;
        if (!Scripts.TryAdd(folder, this)) throw new ArgumentException("The folder has a script.", nameof(folder));
    }

    /// <summary>How often a call was made.</summary>
    public int Count(DiskCall call)
    {
        lock (_gate) return _counts.GetValueOrDefault(call);
    }

    public void Dispose() => Scripts.TryRemove(_folder, out _);

    private static int RunAny(DiskCall call, string path)
    {
        foreach (var (folder, script) in Scripts)
        {
            if (path.StartsWith(folder, StringComparison.Ordinal)) return script.Run(call, path);
        }
        return 0;
    }

    private int Run(DiskCall call, string path)
    {
        lock (_gate)
        {
            var count = _counts[call] = _counts.GetValueOrDefault(call) + 1;
            return _script(call, path, count);
        }
    }
}
