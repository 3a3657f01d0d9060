namespace Transfer.Engine.Scheduling;

/// <summary>Where the other end of a job's files is.</summary>
internal enum JobContents
{
    /// <summary>In local files and in memory: a session never waits for it longer than for a disk.</summary>
    Here,

    /// <summary>In a stream of the application, which gives or takes the bytes when it likes.</summary>
    Application,

    /// <summary>What is read goes to other sessions, of this client or another one.</summary>
    FeedsOthers,

    /// <summary>What is written comes from other sessions, of this client or another one, each of which waits for nobody but the session that it feeds.</summary>
    FedByOthers,
}
