namespace Transfer.TestSupport;

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
