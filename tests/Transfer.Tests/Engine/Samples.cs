namespace Transfer.Tests.Engine;

internal static class Samples
{
    public static readonly DateTimeOffset Time = new(2024, 3, 5, 10, 20, 30, TimeSpan.Zero);

    /// <summary>Bytes that differ from file to file.</summary>
    public static byte[] Bytes(int length, int seed = 1)
    {
        var bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}

/// <summary>Collects what is reported, on the thread that reports it.</summary>
internal sealed class Collected<T> : IProgress<T>
{
    private readonly List<T> _values = [];

    public IReadOnlyList<T> Values
    {
        get { lock (_values) return [.. _values]; }
    }

    public void Report(T value)
    {
        lock (_values) _values.Add(value);
    }
}
