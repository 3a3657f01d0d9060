using System.Buffers.Binary;
using Transfer.Testing.Stores;

namespace Transfer.Testing;

/// <summary>Content computed from the offset: files of any size can be sent and compared without being stored.</summary>
public static class SyntheticContent
{
    /// <summary>Fills a span with the content from an offset on.</summary>
    public static void Fill(Span<byte> destination, long offset, int seed = 0)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(offset);
        Span<byte> word = stackalloc byte[8];
        var lead = (int)(offset & 7);
        if (lead != 0)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(word, Word(offset >> 3, seed));
            var head = Math.Min(8 - lead, destination.Length);
            word.Slice(lead, head).CopyTo(destination);
            destination = destination[head..];
            offset += head;
        }

        var index = offset >> 3;
        for (; destination.Length >= 8; destination = destination[8..])
            BinaryPrimitives.WriteUInt64LittleEndian(destination, Word(index++, seed));
        if (destination.IsEmpty) return;
        BinaryPrimitives.WriteUInt64LittleEndian(word, Word(index, seed));
        word[..destination.Length].CopyTo(destination);
    }

    /// <summary>The content of a length as a stream that can seek.</summary>
    public static Stream Open(long length, int seed = 0, long offset = 0) => new SyntheticStream(length, seed) { Position = offset };

    /// <summary>A SplitMix64 step: every word differs from its neighbours and does not compress.</summary>
    private static ulong Word(long index, int seed)
    {
        var z = (ulong)index * 0x9E3779B97F4A7C15UL + (uint)seed * 0xD1B54A32D192ED03UL + 0x9E3779B97F4A7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBUL;
        return z ^ (z >> 31);
    }
}
