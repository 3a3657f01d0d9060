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

    /// <summary>Its content is verified; it is to be renamed.</summary>
    Verified,

    /// <summary>Its rename was sent.</summary>
    Publishing,

    /// <summary>The server refused to rename over the existing file, which has to be deleted first.</summary>
    Blocked,

    /// <summary>It failed; its temporary file is to be deleted.</summary>
    Discarding,
}
