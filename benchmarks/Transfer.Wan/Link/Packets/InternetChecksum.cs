using System.Buffers.Binary;

namespace Transfer.Wan.Link.Packets;

/// <summary>The sum of RFC 1071, in ones' complement, not inverted.</summary>
internal static class InternetChecksum
{
    /// <summary>Sums 16-bit words; the number of bytes is even.</summary>
    /// <param name="words">What is summed.</param>
    /// <param name="start">What the sum starts with.</param>
    public static ushort Sum(ReadOnlySpan<byte> words, int start = 0)
    {
        var sum = (uint)start;
        for (var i = 0; i < words.Length; i += 2) sum += BinaryPrimitives.ReadUInt16BigEndian(words[i..]);
        while (sum > ushort.MaxValue) sum = (sum & ushort.MaxValue) + (sum >> 16);
        return (ushort)sum;
    }
}
