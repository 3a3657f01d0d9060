namespace Transfer.ServerTests.Support;

/// <summary>Content that is the same in every run.</summary>
internal static class Bytes
{
    public static byte[] Random(int length, int seed = 1)
    {
        var bytes = new byte[length];
        // Repeatable on purpose: nothing here is secret.
#pragma warning disable CA5394
        new Random(seed).NextBytes(bytes);
#pragma warning restore CA5394
        return bytes;
    }

    /// <summary>Compares contents at once: NUnit's own comparison takes seconds for megabytes.</summary>
    public static void AssertSame(ReadOnlySpan<byte> actual, ReadOnlySpan<byte> expected)
    {
        var same = actual.CommonPrefixLength(expected);
        if (same != expected.Length || same != actual.Length)
            Assert.Fail($"{actual.Length} bytes instead of {expected.Length}; the first that differs, or is missing, is at {same}.");
    }
}
