namespace Transfer.Ftp.Session;

/// <summary>How far a work item got.</summary>
internal enum FtpWorkStage
{
    /// <summary>Nothing was sent for it.</summary>
    Taken,

    /// <summary>Its transfer's commands were sent.</summary>
    Sent,

    /// <summary>Its own positive final reply was read; its size is to be checked.</summary>
    Stored,

    /// <summary>Its content is verified; what gives it its name can leave with other commands.</summary>
    Verified,

    /// <summary>What gives it its name was sent.</summary>
    Publishing,

    /// <summary>It cannot get its name by commands in a batch: names have to be looked at in between.</summary>
    Blocked,

    /// <summary>It failed; its temporary file is to be deleted.</summary>
    Discarding,
}
