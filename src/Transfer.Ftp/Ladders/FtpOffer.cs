namespace Transfer.Ftp.Ladders;

/// <summary>Whether an optional command is used.</summary>
internal enum FtpOffer
{
    /// <summary>The command is sent.</summary>
    Used,

    /// <summary>The command was refused, not answered, or did nothing: it is not sent any more.</summary>
    Refused,
}
