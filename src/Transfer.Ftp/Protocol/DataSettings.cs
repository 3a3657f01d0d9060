namespace Transfer.Ftp.Protocol;

/// <summary>The use of one data connection. Clock, time-outs and dial options are those of the control connection.</summary>
internal readonly record struct DataSettings
{
    /// <summary>
    /// Whether this side sends (STOR, APPE). Dropping such a connection before the end resets it, so that the server can't take half a file
    /// for a whole one.
    /// </summary>
    public bool Sends { get; init; }

    /// <summary>Whether MODE Z is on: the bytes are sent as a zlib stream.</summary>
    public bool Deflate { get; init; }
}
