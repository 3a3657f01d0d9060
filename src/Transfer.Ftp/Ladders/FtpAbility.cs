namespace Transfer.Ftp.Ladders;

/// <summary>An ability that servers have in one of several ways. The numbers are kept in files: they never change.</summary>
internal enum FtpAbility
{
    /// <summary>Takes commands.</summary>
    Commands = 1,

    /// <summary>Opens data connections.</summary>
    DataPort = 2,

    /// <summary>Protects data connections.</summary>
    DataTls = 3,

    /// <summary>Describes one entry.</summary>
    Describe = 4,

    /// <summary>Lists a directory.</summary>
    List = 5,

    /// <summary>Ends a download early (RANG).</summary>
    Ranges = 6,

    /// <summary>Begins a transfer at an offset (REST).</summary>
    Offsets = 7,

    /// <summary>Sets times by SITE UTIME.</summary>
    SiteUtime = 8,

    /// <summary>Sets permissions by SITE CHMOD.</summary>
    SiteChmod = 9,

    /// <summary>Takes an upload's command before the data connection is open.</summary>
    EarlyUploads = 10,

    /// <summary>Shows the entries of directories on the control connection (STAT).</summary>
    Find = 11,

    /// <summary>Shows names with a leading dot (LIST -a).</summary>
    ListAll = 12,
}
