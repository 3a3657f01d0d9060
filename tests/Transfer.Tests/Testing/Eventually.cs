namespace Transfer.Tests.Testing;

/// <summary>Waits for something another task is about to do.</summary>
internal static class Eventually
{
    public static async Task IsAsync<T>(Func<T> actual, T expected)
    {
        var until = DateTime.UtcNow + RawFtp.Patience;
        while (!EqualityComparer<T>.Default.Equals(actual(), expected) && DateTime.UtcNow < until) await Task.Delay(5);
        Assert.That(actual(), Is.EqualTo(expected));
    }
}
