namespace Transfer;

/// <summary>
/// How often and how soon something is tried again: only what may succeed the next time, which is a <see cref="TransferException.IsTransient"/>
/// failure or a lost session, and never what failed for good.
/// </summary>
public sealed record RetryOptions
{
    /// <summary>
    /// Most attempts at one file, or at one segment of it, and attempts in a row to reach a server that was there before. 1: nothing is tried twice.
    /// A server that never was there is asked once.
    /// </summary>
    public int Attempts { get; init; } = 6;

    /// <summary>How long to wait before the second attempt; twice as long before each one after that. A random half of it is left out, so that not all come back at once.</summary>
    public TimeSpan FirstDelay { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The longest wait.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How many more retries than files that arrive one job may have; after that, what fails has failed.</summary>
    public int Budget { get; init; } = 1000;

    /// <summary>Refuses values that no retry can have.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A property breaks its rule, which the message names.</exception>
    public void Validate()
    {
        var rules = new OptionRules(nameof(RetryOptions));
        rules.AtLeast(Attempts, 1);
        rules.NotNegative(FirstDelay);
        rules.NotNegative(MaxDelay);
        rules.AtLeast(Budget, 0);
    }

    /// <summary>The wait after a number of failures in a row.</summary>
    /// <param name="failures">From 1.</param>
    /// <param name="random">From 0 to 1.</param>
    public TimeSpan DelayAfter(int failures, double random)
    {
        var full = Math.Min(FirstDelay.TotalSeconds * Math.Pow(2, failures - 1), MaxDelay.TotalSeconds);
        return TimeSpan.FromSeconds(full * (0.5 + random / 2));
    }
}
