namespace Transfer.Ftp.Session;

/// <summary>What a listing needs beyond the lines of STAT, where MLST describes entries.</summary>
internal enum FtpFindDepth
{
    /// <summary>Nothing: names and types.</summary>
    Names,

    /// <summary>The directories, which are proved by their descriptions.</summary>
    Directories,

    /// <summary>All entries, as MLSD would show them.</summary>
    Entries,
}
