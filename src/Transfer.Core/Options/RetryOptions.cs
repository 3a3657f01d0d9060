namespace Transfer;

/// <summary>
/// The number and times of retries after failures that may pass: those with <see cref="TransferException.IsTransient"/>, and lost
/// sessions. Permanent failures are never retried.
/// </summary>
public sealed record RetryOptions
{
    /// <summary>
    /// The most attempts at one file, or at one segment of a file, and attempts in a row to reach a server that worked before. 1: no
    /// retries. A server that never worked is tried once, but as often as one that worked where it takes no connection now: the port
    /// refuses, FTP's 421, OpenSSH's MaxStartups.
    /// </summary>
    public int Attempts { get; init; } = 6;

    /// <summary>
    /// The wait before the second attempt; doubled before each later one. Up to half of each wait is left out at random, so that sessions
    /// do not all return at once.
    /// </summary>
    public TimeSpan FirstDelay { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The longest wait.</summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The number of retries that one job may have beyond its completed files; after that, a failure is final.</summary>
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

    /// <summary>Returns the wait after a number of failures in a row.</summary>
    /// <param name="failures">The number of failures, from 1.</param>
    /// <param name="random">A random number from 0 to 1.</param>
    public TimeSpan DelayAfter(int failures, double random)
    {
        var full = Math.Min(FirstDelay.TotalSeconds * Math.Pow(2, failures - 1), MaxDelay.TotalSeconds);
        return TimeSpan.FromSeconds(full * (0.5 + random / 2));
    }
}
