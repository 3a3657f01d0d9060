namespace Transfer.Batch.Carriers.Exec;

/// <summary>A file that is to be moved.</summary>
/// <param name="Path">The path relative to the folder.</param>
/// <param name="Length">The length in the listing.</param>
/// <param name="Modified">The time in the listing; null: not known.</param>
internal readonly record struct ListedFile(string Path, long Length, DateTimeOffset? Modified = null)
{
    /// <summary>Whether a file with a length and a time is this one, as far as these tell. Times count to the second, as SFTP and tar have
    /// them.</summary>
    public bool Is(long length, DateTime modified) =>
        length == Length && (Modified is not { } listed || SecondOf(listed.UtcDateTime) == SecondOf(modified));

    private static long SecondOf(DateTime time) => time.Ticks / TimeSpan.TicksPerSecond;
}
