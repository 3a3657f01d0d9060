namespace Transfer.Ftp.Session;

/// <summary>The stage of a work item.</summary>
internal enum FtpWorkStage
{
    /// <summary>No command was sent.</summary>
    Taken,

    /// <summary>The commands of the transfer were sent.</summary>
    Sent,

    /// <summary>A long download has arrived; the file is to be looked at once more.</summary>
    Received,

    /// <summary>The positive final reply was read; the size is to be checked.</summary>
    Stored,

    /// <summary>The content is verified; the commands of the naming can leave with others.</summary>
    Verified,

    /// <summary>The commands of the naming were sent.</summary>
    Publishing,

    /// <summary>The naming can't go in a batch: names have to be looked up in between.</summary>
    Blocked,

    /// <summary>The upload failed; the temporary file is to be deleted.</summary>
    Discarding,
}
