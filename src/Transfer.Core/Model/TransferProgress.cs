namespace Transfer;

/// <summary>Cumulative progress of one file or of a whole job, reported about ten times a second at most.</summary>
public readonly record struct TransferProgress
{
    // A longer time is no estimate.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(30);

    /// <summary>Content bytes moved so far.</summary>
    public long Bytes { get; init; }

    /// <summary>Content bytes in all, once known.</summary>
    public long? TotalBytes { get; init; }

    /// <summary>Files finished so far.</summary>
    public long Files { get; init; }

    /// <summary>Files in all, once known.</summary>
    public long? TotalFiles { get; init; }

    /// <summary>The rate in bytes a second over the last seconds.</summary>
    public double BytesPerSecond { get; init; }

    /// <summary>The rate in files a second over the last seconds.</summary>
    public double FilesPerSecond { get; init; }

    /// <summary>
    /// The estimated time for the rest at the present rate: by the bytes left, or by the files where no bytes are left, or their number is
    /// not known. Null: too early to estimate, nothing moves at the moment, or the rest takes more than 30 days.
    /// </summary>
    public TimeSpan? TimeLeft => TotalBytes is { } bytes && bytes > Bytes ? Estimate(bytes - Bytes, BytesPerSecond)
        : TotalFiles is { } files ? Estimate(files - Files, FilesPerSecond)
        : null;

    private static TimeSpan? Estimate(long left, double rate)
    {
        if (left <= 0) return TimeSpan.Zero;
        var seconds = left / rate;
        return seconds < Longest.TotalSeconds ? TimeSpan.FromSeconds(seconds) : null;
    }
}
