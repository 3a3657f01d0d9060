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
}
