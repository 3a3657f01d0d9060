using System.Diagnostics;

namespace Transfer.Tests.Dialing;

/// <summary>Waits for what another task will do, however long the machine takes for it.</summary>
internal static class Eventually
{
    public static readonly TimeSpan Hang = TimeSpan.FromSeconds(30);

    public static async Task TrueAsync(Func<bool> condition, string what)
    {
        var start = Stopwatch.GetTimestamp();
        while (!condition())
        {
            if (Stopwatch.GetElapsedTime(start) > Hang) Assert.Fail($"Waited in vain: {what}");
            await Task.Delay(1);
        }
    }
}
