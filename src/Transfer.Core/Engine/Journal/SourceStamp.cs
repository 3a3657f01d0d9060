using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Engine.Journal;

/// <summary>What tells one state of a source from another.</summary>
/// <param name="Length">Its length in bytes; -1: not known.</param>
/// <param name="Modified">Its modification time in ticks of UTC; 0: not known.</param>
internal readonly record struct SourceStamp(long Length, long Modified)
{
    public static SourceStamp Of(long? length, DateTimeOffset? modified) => new(length ?? -1, modified?.UtcTicks ?? 0);

    /// <summary>Of a file that is open.</summary>
    public static SourceStamp Of(SafeFileHandle file, string path) => FileStatus.Of(file, path).Stamp;

    /// <summary>Both are known: without, nobody can tell that a source is what it was.</summary>
    public bool IsKnown => Length >= 0 && Modified != 0;
}
