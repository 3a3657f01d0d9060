using System.Runtime.InteropServices;

namespace Transfer.TestSupport;

/// <summary>Values that many tests use.</summary>
internal static class Samples
{
    /// <summary>Three attempts, without much waiting: what fails is to fail soon.</summary>
    public static RetryOptions SoonAgain { get; } = new() { Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds(1) };

    public static readonly DateTimeOffset Time = new(2024, 3, 5, 10, 20, 30, TimeSpan.Zero);

    /// <summary>Bytes that differ from file to file: SplitMix64, for a Random with a seed was the largest part of some tests.</summary>
    public static byte[] Bytes(int length, int seed = 1)
    {
        var words = new ulong[(length + sizeof(ulong) - 1) / sizeof(ulong)];
        var state = (ulong)seed;
        foreach (ref var word in words.AsSpan())
        {
            var mixed = state += 0x9E3779B97F4A7C15;
            mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
            word = mixed ^ (mixed >> 31);
        }
        return MemoryMarshal.AsBytes<ulong>(words)[..length].ToArray();
    }
}
