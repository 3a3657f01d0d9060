using System.Runtime.InteropServices;

namespace Transfer.Local;

/// <summary>
/// Places for the local files that jobs have open, as many as the system's limit for the process allows beside everything else. A taker
/// without a place never waits here: a session tries again when a file of its own has ended, and gets a place in any case while it has no
/// file open. Thread-safe.
/// </summary>
public sealed class OpenFiles
{
    // The runtime has some 85 open (each assembly that is not compiled ahead), connections of sixteen FTP sessions may be a hundred.
    private const int Reserve = 192;

    private const int Least = 4;

    // RLIMIT_NOFILE in the numbers of the runtime's own portable getrlimit.
    private const int NumberOfFiles = 9;

    private int _open;

    /// <summary>Creates places of their own, for tests.</summary>
    /// <param name="most">The number of places.</param>
    public OpenFiles(int most) => Most = most;

    /// <summary>The places of this process, for all jobs.</summary>
    public static OpenFiles OfProcess { get; } = new(MostFor(Limit()));

    /// <summary>The number of places.</summary>
    public int Most { get; }

    /// <summary>Whether there is a place left.</summary>
    internal bool HasRoom => Volatile.Read(ref _open) < Most;

    /// <summary>Half of the files that the process may open beyond the needs of runtime and connections: the other half is the
    /// application's.</summary>
    internal static int MostFor(ulong limit) => (int)Math.Clamp((limit - Math.Min(limit, Reserve)) / 2, Least, int.MaxValue);

    /// <summary>Takes a place.</summary>
    /// <param name="needed">Whether to take one even where none is left.</param>
    /// <returns>False: none is left.</returns>
    public bool TryTake(bool needed)
    {
        if (Interlocked.Increment(ref _open) <= Most || needed) return true;
        Interlocked.Decrement(ref _open);
        return false;
    }

    /// <summary>Gives a place back.</summary>
    public void Return() => Interlocked.Decrement(ref _open);

    // Windows has no such limit, and where the runtime cannot read a limit, opening a file will show it.
    private static ulong Limit()
    {
        if (OperatingSystem.IsWindows()) return ulong.MaxValue;
        try
        {
            var limits = new ulong[2]; // the present one and the highest, to which the runtime has raised the former
            return GetLimit(NumberOfFiles, limits) == 0 ? limits[0] : ulong.MaxValue;
        }
        catch (Exception e) when (e is EntryPointNotFoundException or DllNotFoundException)
        {
            return ulong.MaxValue;
        }
    }

    [DllImport("libSystem.Native", EntryPoint = "SystemNative_GetRLimit")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int GetLimit(int resource, [Out] ulong[] limits);
}
