namespace Transfer.Journal;

/// <summary>How a job keeps a second run of itself out, as its options say it.</summary>
/// <param name="Path">The file that is locked.</param>
/// <param name="Wait">How long to wait for it.</param>
internal sealed record JobLockSettings(string Path, TimeSpan Wait)
{
    public static JobLockSettings? Of(string? path, TimeSpan wait) => path is null ? null : new(path, wait);
}
