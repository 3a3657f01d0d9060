namespace Transfer.Engine.Scheduling;

/// <summary>The properties of a protocol that decide how many sessions pay.</summary>
/// <param name="LogInRoundTrips">The round trips from the connection to the end of the log-in.</param>
/// <param name="FilesAtOnce">The number of small files that one session has under way at once.</param>
/// <param name="SharesLogIns">Whether a further session may share the log-in of an open one, as channels of SSH do.</param>
internal readonly record struct SessionTraits(int LogInRoundTrips, int FilesAtOnce, bool SharesLogIns)
{
    /// <summary>The traits of a protocol that moves one file at a time over a connection of each session's own.</summary>
    public static SessionTraits Plain => new(LogInRoundTrips: 4, FilesAtOnce: 1, SharesLogIns: false);
}
