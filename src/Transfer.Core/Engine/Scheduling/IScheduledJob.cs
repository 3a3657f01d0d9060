using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>A job as the scheduler's board sees it: how much of it waits, and how many sessions it may have. Called under the scheduler's lock.</summary>
internal interface IScheduledJob
{
    /// <summary>The sessions that the job asks for; null: as many as pay.</summary>
    int? OwnSessions { get; }

    /// <summary>Where the other end of its files is.</summary>
    JobContents Contents { get; }

    /// <summary>Which way all of its files go; null: not all go the same way.</summary>
    WorkKind? FilesGo { get; }

    /// <summary>No file of it begins, and no content moves.</summary>
    bool IsPausedLocked { get; }

    /// <summary>Files may still be put in line.</summary>
    bool MayGetMoreLocked { get; }

    /// <summary>Files in line.</summary>
    int WaitingLocked { get; }

    /// <summary>Files that were added and have not ended.</summary>
    int UnsettledLocked { get; }

    /// <summary>Files in line, or said to come.</summary>
    int ExpectedLocked { get; }

    /// <summary>Sessions that would have something to do for it, beside those that have.</summary>
    int WantedLocked { get; }

    /// <summary>Most sessions that it may have now.</summary>
    int MostLocked { get; }
}
