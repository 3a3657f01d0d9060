using Transfer.Replacing;

namespace Transfer.Ftp.Session;

/// <summary>The replacement that gives a stored file its name.</summary>
/// <param name="Renaming">The rename.</param>
/// <param name="Replacement">The decisions.</param>
internal sealed record FtpNaming(Renaming Renaming, Replacement Replacement)
{
    /// <summary>Whether a rename was sent: a lost session then leaves the names in doubt.</summary>
    public bool IsUnderWay { get; set; }
}
