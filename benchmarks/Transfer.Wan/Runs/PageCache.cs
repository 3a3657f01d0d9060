using Transfer.ServerTests.Servers;

namespace Transfer.Wan.Runs;

/// <summary>The kernel's cache of files.</summary>
internal static class PageCache
{
    /// <summary>Writes back what is changed, then forgets everything: the next reads come from the disk. It is the whole machine's.</summary>
    public static void Empty()
    {
        Shell.Run("sync");
        File.WriteAllText("/proc/sys/vm/drop_caches", "3");
    }
}
