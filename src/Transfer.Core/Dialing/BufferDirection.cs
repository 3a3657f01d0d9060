namespace Transfer.Dialing;

/// <summary>One of a socket's two buffers.</summary>
internal enum BufferDirection
{
    /// <summary>SO_SNDBUF.</summary>
    Send,

    /// <summary>SO_RCVBUF.</summary>
    Receive,
}
