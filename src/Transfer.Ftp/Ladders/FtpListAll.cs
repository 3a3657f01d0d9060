namespace Transfer.Ftp.Ladders;

/// <summary>The way in which LIST shows names with a leading dot.</summary>
internal enum FtpListAll
{
    /// <summary>Not known yet: LIST is compared with LIST -a.</summary>
    Compared,

    /// <summary>LIST -a shows all that LIST shows.</summary>
    All,

    /// <summary>LIST, since the server takes <c>-a</c> for a path.</summary>
    Plain,
}
