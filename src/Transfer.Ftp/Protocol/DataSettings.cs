namespace Transfer.Ftp.Protocol;

/// <summary>How one data connection is used. The clock, time-outs and dial options are its control connection's.</summary>
internal readonly record struct DataSettings
{
    /// <summary>We send (STOR, APPE). Such a connection that is dropped before its end is reset, so that the server can't take half a file for a whole one.</summary>
    public bool Sends { get; init; }

    /// <summary>MODE Z is on: the bytes travel as a zlib stream.</summary>
    public bool Deflate { get; init; }
}
