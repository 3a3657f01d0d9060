using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>The scheduler's view of a job: the files that wait, and the sessions. Called under the scheduler's lock.</summary>
internal interface IScheduledJob
{
    /// <summary>The number of sessions in the job's options; null: as many as pay.</summary>
    int? OwnSessions { get; }

    /// <summary>The place of the near end of the job's files.</summary>
    JobContents Contents { get; }

    /// <summary>The direction of all files of the job; null: the directions differ.</summary>
    WorkKind? Direction { get; }

    /// <summary>Whether the job is paused: no file begins, and no content moves.</summary>
    bool IsPausedLocked { get; }

    /// <summary>Whether files may still be put in line.</summary>
    bool MayGetMoreLocked { get; }

    /// <summary>The number of files in line.</summary>
    int WaitingLocked { get; }

    /// <summary>The number of files that were added and have not ended.</summary>
    int UnsettledLocked { get; }

    /// <summary>The number of files in line, or announced if that is greater.</summary>
    int ExpectedLocked { get; }

    /// <summary>The bytes of the files in line, or of those announced if that is more; files of unknown length do not count.</summary>
    long ExpectedBytesLocked { get; }

    /// <summary>The number of further sessions that would have work for the job.</summary>
    int WantedLocked { get; }

    /// <summary>The most sessions that the job may have now.</summary>
    int MostLocked { get; }
}
