using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Journal;

/// <summary>The end of a range, which is checked before the range counts as present.</summary>
internal static class RangeTail
{
    /// <summary>The length in bytes, for longer ranges.</summary>
    public const int MaxLength = 64 << 10;

    public static int LengthOf(long start, long end) => (int)Math.Min(MaxLength, end - start);

    /// <summary>SHA-256 of the end of a range of a local file; null: the file ends before.</summary>
    public static byte[]? Hash(SafeFileHandle file, long start, long end, string path)
    {
        var tail = new byte[LengthOf(start, end)];
        var at = end - tail.Length;
        for (var read = 0; read < tail.Length;)
        {
            var count = DiskFiles.Read(file, tail.AsSpan(read), at + read, path);
            if (count == 0) return null;
            read += count;
        }
        return SHA256.HashData(tail);
    }
}
