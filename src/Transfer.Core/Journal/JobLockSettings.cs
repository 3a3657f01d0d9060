namespace Transfer.Journal;

/// <summary>The lock of a job's options, which excludes a second run of the job.</summary>
/// <param name="Path">The file that is locked.</param>
/// <param name="Wait">The longest wait for the lock.</param>
internal sealed record JobLockSettings(string Path, TimeSpan Wait)
{
    public static JobLockSettings? Of(string? path, TimeSpan wait) => path is null ? null : new(path, wait);
}
