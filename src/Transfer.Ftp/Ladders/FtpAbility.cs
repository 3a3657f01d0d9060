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

    /// <summary>Takes names with spaces whole.</summary>
    Spaces = 13,

    /// <summary>Sets times.</summary>
    Times = 14,

    /// <summary>Takes the name of the client (CLNT).</summary>
    Clnt = 15,

    /// <summary>Takes the encoding of names (OPTS UTF8 ON).</summary>
    Opts = 16,

    /// <summary>Names its system (SYST).</summary>
    Syst = 17,

    /// <summary>Names its features (FEAT).</summary>
    Feat = 18,

    /// <summary>Names the log-in folder (PWD).</summary>
    Pwd = 19,

    /// <summary>Names the log-in folder by the older command (XPWD).</summary>
    Xpwd = 20,

    /// <summary>Takes more commands at once than one read has, in lines of even length.</summary>
    EvenLines = 21,

    /// <summary>Gives files the times that are set.</summary>
    KeptTimes = 22,
}
