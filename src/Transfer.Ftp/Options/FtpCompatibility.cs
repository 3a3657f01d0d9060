namespace Transfer.Ftp;

/// <summary>
/// What a client does with servers that differ from the usual. Each ability has several ways, from the fastest to the plainest. A way
/// that the server refuses, or answers with silence, is left for the next by itself, and that is remembered for the host; a way that is
/// named here is used, and no other.
/// <see cref="FtpOptions.Pipelining"/> does the same for the way in which commands leave.
/// </summary>
public sealed record FtpCompatibility
{
    /// <summary>The plainest way of everything. With <see cref="FtpPipelining.Off"/> a client is as plain as it can be.</summary>
    public static FtpCompatibility Plainest { get; } = new()
    {
        DataPort = FtpDataPort.Pasv,
        Describe = FtpDescription.SizeAndTime,
        List = FtpListCommand.List
    };

    /// <summary>How data connections are announced. Null: found out.</summary>
    public FtpDataPort? DataPort { get; init; }

    /// <summary>How one entry is described. Null: found out.</summary>
    public FtpDescription? Describe { get; init; }

    /// <summary>How a directory is listed. Null: found out.</summary>
    public FtpListCommand? List { get; init; }

    /// <summary>
    /// Data connections go to the address that the reply to PASV names, whatever it is. False: to the server's own, since servers behind
    /// address translation name one that is not reached, and hostile ones name others'; after PRET the address counts, but never a
    /// private, loopback or link-local one that a public server names.
    /// </summary>
    public bool TrustsPassiveAddress { get; init; }

    /// <summary>
    /// A listing whose data ends without close_notify (RFC 8446 section 6.1), or by a reset, is complete where the server's reply confirms
    /// the listing. False: such a listing is partial, since lines may be missing. Files need no trust: their lengths are compared.
    /// </summary>
    public bool TrustsUnconfirmedEnds { get; init; }
}
