using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Transfer.TestSupport;

/// <summary>Waits for what another task will do, however long the machine takes for it.</summary>
internal static class Eventually
{
    /// <summary>Not a measure of speed: what has not ended by then hangs.</summary>
    public static readonly TimeSpan Hang = TimeSpan.FromSeconds(60);

    public static async Task TrueAsync(Func<bool> condition, [CallerArgumentExpression(nameof(condition))] string what = "") =>
        Assert.That(await HoldsAsync(condition), $"Waited in vain: {what}");

    public static async Task IsAsync<T>(Func<T> actual, T expected)
    {
        await HoldsAsync(() => EqualityComparer<T>.Default.Equals(actual(), expected));
        Assert.That(actual(), Is.EqualTo(expected));
    }

    private static async Task<bool> HoldsAsync(Func<bool> condition)
    {
        var start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > Hang) return false;
            await Task.Delay(1);
        }
        return true;
    }
}
