namespace Transfer.Ftp.Ladders;

/// <summary>The names with spaces that a server takes whole.</summary>
internal enum FtpSpaceUse
{
    /// <summary>All.</summary>
    Any,

    /// <summary>Those that do not end with a space, which the server leaves away.</summary>
    NotAtEnd,

    /// <summary>None: the server reads a name up to a space.</summary>
    None,
}
