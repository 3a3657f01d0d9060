namespace Transfer.Testing;

/// <summary>Where links to directories are shown as links; elsewhere they are shown as the directories that they lead to.</summary>
public enum FtpLinkListing
{
    /// <summary>In all listings.</summary>
    Everywhere,

    /// <summary>In LIST; MLSD and MLST follow them, and leave out those to nothing, as pyftpdlib does.</summary>
    ListOnly,

    /// <summary>In none, as Pure-FTPd does with BrokenClientsCompatibility.</summary>
    Nowhere,
}
