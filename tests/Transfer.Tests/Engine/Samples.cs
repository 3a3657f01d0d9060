namespace Transfer.Tests.Engine;

internal static class Samples
{
    /// <summary>Three attempts, without much waiting: what fails is to fail soon.</summary>
    public static RetryOptions SoonAgain { get; } = new() { Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds(1) };

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
