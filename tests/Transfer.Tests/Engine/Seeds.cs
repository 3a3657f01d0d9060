using System.Globalization;

namespace Transfer.Tests.Engine;

/// <summary>
/// Runs simulations: each seed draws everything, so that one that fails replays exactly. TRANSFER_SIMULATION_SEEDS asks for more of them
/// than the 20,000 of every test run.
/// </summary>
internal static class Seeds
{
    public static int Count { get; } =
        int.TryParse(Environment.GetEnvironmentVariable("TRANSFER_SIMULATION_SEEDS"), NumberStyles.None, CultureInfo.InvariantCulture,
            out var seeds) ? seeds : 20_000;

    /// <summary>Fails with the first seed for which something is wrong, and what that is.</summary>
    /// <param name="one">Gets a seed; gives what is wrong, or null.</param>
    public static void Run(Func<int, string?> one)
    {
        string? first = null;
        Parallel.For(0, Count, (seed, state) =>
        {
            if (one(seed) is not { } broken) return;
            Interlocked.CompareExchange(ref first, $"seed {seed}: {broken}", null);
            state.Stop();
        });
        Assert.That(first, Is.Null);
    }
}
