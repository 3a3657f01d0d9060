namespace Transfer.Sessions;

/// <summary>What absence from a listing is worth. The value that nobody has set claims nothing.</summary>
public enum ListingVerdict
{
    /// <summary>Entries are missing, or may be: the listing was cut or truncated, or a line of it could not be used.</summary>
    Partial,

    /// <summary>The listing is empty, and the server gives the same answer for a directory that may not be read: the directory may have entries.</summary>
    EmptyUnproved,

    /// <summary>The listing holds every entry of the directory: what it does not name is not there.</summary>
    Complete,
}
