using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>The seam by which tests have the disk fail. Nothing else sets a script, and without one a call costs one look at a field.</summary>
internal static class DiskFaults
{
    /// <summary>Gives the error's number (errno) that a call at a path ends with instead of being made; 0: it is made. Null: all are.</summary>
    internal static Func<DiskCall, string, int>? Script { get; set; }

    /// <summary>A script is there: what is needed for it alone need not be computed else.</summary>
    public static bool IsScripted => Script is not null;

    /// <summary>The number for a call; 0: it is to be made.</summary>
    public static int Of(DiskCall call, string path) => Script is { } script ? script(call, path) : 0;

    /// <summary>Throws where the script has an error.</summary>
    /// <exception cref="IOException">The scripted error.</exception>
    public static void Check(DiskCall call, string path)
    {
        if (Of(call, path) is not 0 and var errno) throw Errno.ToException(errno, path);
    }
}
