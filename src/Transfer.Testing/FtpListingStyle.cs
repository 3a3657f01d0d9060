namespace Transfer.Testing;

/// <summary>What LIST (RFC 959 4.1.3, where the format is the server's own) looks like.</summary>
public enum FtpListingStyle
{
    /// <summary><c>ls -l</c>.</summary>
    Unix,

    /// <summary><c>dir</c>, as IIS sends it, with two-digit hours and AM/PM.</summary>
    Windows,
}
