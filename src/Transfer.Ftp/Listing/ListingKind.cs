namespace Transfer.Ftp.Listing;

/// <summary>The command of a listing.</summary>
internal enum ListingKind
{
    /// <summary>MLSD (RFC 3659 7).</summary>
    Mlsd,

    /// <summary>LIST (RFC 959 4.1.3), in a format of the server's choice.</summary>
    List,
}
