using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>The seam by which tests have the disk fail. Only tests set a script; without one a call costs one look at a field.</summary>
internal static class DiskFaults
{
    /// <summary>Returns the error number (errno) with which a call at a path fails instead of being made; 0: the call is made. Null: all
    /// are.</summary>
    internal static Func<DiskCall, string, int>? Script { get; set; }

    /// <summary>Whether a script is set: without one, values for the script alone need not be computed.</summary>
    public static bool IsScripted => Script is not null;

    /// <summary>The error number for a call; 0: make the call.</summary>
    public static int Of(DiskCall call, string path) => Script is { } script ? script(call, path) : 0;

    /// <summary>Throws where the script has an error.</summary>
    /// <exception cref="IOException">The scripted error.</exception>
    public static void Check(DiskCall call, string path)
    {
        if (Of(call, path) is not 0 and var errno) throw Errno.ToException(errno, path);
    }
}
