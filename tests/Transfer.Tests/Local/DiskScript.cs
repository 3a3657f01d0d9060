using Transfer.Local;

namespace Transfer.Tests.Local;

/// <summary>Has calls below a folder fail, for the tests that own it: no others may run meanwhile.</summary>
internal sealed class DiskScript : IDisposable
{
    private readonly Lock _gate = new();
    private readonly string _folder;
    private readonly Func<DiskCall, string, int, int> _script;
    private readonly Dictionary<DiskCall, int> _counts = [];

    /// <param name="folder">The folder.</param>
    /// <param name="script">Gets the call, its path and how many of its kind there were with it; gives the error's number or 0.</param>
    public DiskScript(string folder, Func<DiskCall, string, int, int> script)
    {
        _folder = folder;
        _script = script;
        DiskFaults.Script = Run;
    }

    /// <summary>How often a call was made.</summary>
    public int Count(DiskCall call)
    {
        lock (_gate) return _counts.GetValueOrDefault(call);
    }

    public void Dispose() => DiskFaults.Script = null;

    private int Run(DiskCall call, string path)
    {
        if (!path.StartsWith(_folder, StringComparison.Ordinal)) return 0;
        lock (_gate)
        {
            var count = _counts[call] = _counts.GetValueOrDefault(call) + 1;
            return _script(call, path, count);
        }
    }
}
