namespace Transfer.Ftp.Ladders;

/// <summary>The rungs of sending commands.</summary>
internal enum FtpCommandRung
{
    /// <summary>As many in one write as <see cref="FtpPipelining"/> allows.</summary>
    Together,

    /// <summary>
    /// Each waits for the reply to the one before: some servers read one command a segment, and never answer the second.
    /// </summary>
    OneByOne,
}
