using Transfer.ServerTests.Servers;

namespace Transfer.Wan.Runs;

/// <summary>The kernel's cache of files.</summary>
internal static class PageCache
{
    /// <summary>Writes back what is changed: what a turn has left in it is no business of the next one's.</summary>
    public static void WriteBack()
    {
        if (!OperatingSystem.IsWindows()) Shell.Run("sync");
    }

    /// <summary>Forgets everything that is written back: the next reads come from the disk. It is the whole machine's.</summary>
    public static void Empty()
    {
        File.WriteAllText("/proc/sys/vm/drop_caches", "3");
    }
}
