namespace Transfer.Sessions;

/// <summary>The caller's knowledge of a connection before dialing; decides buffers and congestion control.</summary>
public readonly record struct DialHints
{
    /// <summary>The path's round-trip time as measured on an earlier connection to the same host, if any.</summary>
    public TimeSpan? RoundTrip { get; init; }

    /// <summary>Whether this connection will send much, so that bbr may pay.</summary>
    public bool Sends { get; init; }

    /// <summary>Whether TLS begins as soon as the connection is open: the system's part in TLS is prepared meanwhile.</summary>
    public bool IsForTls { get; init; }
}
