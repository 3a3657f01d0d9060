namespace Transfer.Engine.Scheduling;

/// <summary>The place of the near end of a job's files.</summary>
internal enum JobContents
{
    /// <summary>Local files and memory: a session waits no longer than for a disk.</summary>
    Here,

    /// <summary>A stream of the application, which gives or takes the bytes at any time.</summary>
    Application,

    /// <summary>Other sessions, of this client or another one, which write the bytes read.</summary>
    FeedsSessions,

    /// <summary>
    /// Other sessions, of this client or another one, which read the bytes written; each waits only for the session that it feeds.
    /// </summary>
    FedBySessions,
}
