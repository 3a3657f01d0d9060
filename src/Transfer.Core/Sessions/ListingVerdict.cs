namespace Transfer.Sessions;

/// <summary>The meaning of absence from a listing. The default value claims nothing.</summary>
public enum ListingVerdict
{
    /// <summary>Entries are missing, or may be: the listing was cut or truncated, or one of its lines could not be used.</summary>
    Partial,

    /// <summary>The listing is empty, and the server answers so for an unreadable directory too: the directory may have entries.</summary>
    EmptyUnproved,

    /// <summary>The listing holds every entry of the directory: a name not listed is absent.</summary>
    Complete,

    /// <summary>
    /// The server refuses to list a directory that exists, as some servers do where the directory is empty. Nothing is ever deleted for
    /// absence from such a listing.
    /// </summary>
    EmptyRefused,
}
