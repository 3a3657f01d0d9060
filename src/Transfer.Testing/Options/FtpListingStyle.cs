namespace Transfer.Testing;

/// <summary>The form of LIST (RFC 959 4.1.3, which leaves the format to the server).</summary>
public enum FtpListingStyle
{
    /// <summary><c>ls -l</c>.</summary>
    Unix,

    /// <summary><c>dir</c>, as from IIS, with two-digit hours and AM/PM.</summary>
    Windows,
}
