namespace Transfer.Testing;

/// <summary>The listings that show links to directories as links; all other listings show the directories that the links lead to.</summary>
public enum FtpLinkListing
{
    /// <summary>In all listings.</summary>
    Everywhere,

    /// <summary>In LIST; MLSD and MLST follow links and omit dangling ones, as pyftpdlib does.</summary>
    ListOnly,

    /// <summary>In none, as Pure-FTPd does with BrokenClientsCompatibility.</summary>
    Nowhere,
}
