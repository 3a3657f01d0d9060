using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Companions;

/// <summary>The length and the time of a file, which distinguish one state of the file from another.</summary>
/// <param name="Length">The length in bytes; -1: not known.</param>
/// <param name="Modified">The time of the last modification, in ticks of UTC; 0: not known.</param>
public readonly record struct SourceStamp(long Length, long Modified)
{
    /// <summary>The stamp of a listed file.</summary>
    public static SourceStamp Of(long? length, DateTimeOffset? modified) => new(length ?? -1, modified?.UtcTicks ?? 0);

    /// <summary>The stamp of an open local file.</summary>
    /// <exception cref="IOException">The system cannot describe the file.</exception>
    public static SourceStamp Of(SafeFileHandle file, string path) => FileStatus.Of(file, path).Stamp;

    /// <summary>Whether length and time are known: only then a file can be known to be unchanged.</summary>
    public bool IsKnown => Length >= 0 && Modified != 0;
}
