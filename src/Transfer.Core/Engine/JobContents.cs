namespace Transfer.Engine;

/// <summary>Where the other end of a job's files is.</summary>
internal enum JobContents
{
    /// <summary>In local files and in memory: a session never waits for it longer than for a disk.</summary>
    Here,

    /// <summary>In a stream of the application, which gives or takes the bytes when it likes.</summary>
    Application,

    /// <summary>At another session, of this client or another one.</summary>
    OtherSession,
}
