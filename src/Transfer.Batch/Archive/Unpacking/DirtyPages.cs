using System.Buffers.Text;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>The data that Linux has on its way to all disks: written content that is in memory only.</summary>
internal static class DirtyPages
{
    private const string Source = "/proc/meminfo";
    private const int MostRead = 4096;

    /// <summary>Returns the bytes of all programs on their way to the disks; 0 on a system that does not report them.</summary>
    public static long Measure()
    {
        var text = new byte[MostRead];
        try
        {
            using var file = File.OpenHandle(Source);
            return Parse(text.AsSpan(0, RandomAccess.Read(file, text, 0)));
        }
        catch (Exception e) when (Local.LocalErrors.IsLocal(e))
        {
            return 0;
        }
    }

    /// <summary>The sum of the lines Dirty and Writeback (proc_meminfo(5)), which are in KiB.</summary>
    public static long Parse(ReadOnlySpan<byte> text) => Line(text, "\nDirty:"u8) + Line(text, "\nWriteback:"u8);

    private static long Line(ReadOnlySpan<byte> text, ReadOnlySpan<byte> name)
    {
        var at = text.IndexOf(name);
        if (at < 0) return 0;
        var number = text[(at + name.Length)..].TrimStart((byte)' ');
        return Utf8Parser.TryParse(number, out long count, out _) && count is >= 0 and < long.MaxValue / 4096 ? count * 1024 : 0;
    }
}
