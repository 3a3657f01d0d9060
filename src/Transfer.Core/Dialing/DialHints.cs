namespace Transfer.Dialing;

/// <summary>What the caller knows about a connection before it is made; it decides buffers and congestion control.</summary>
public readonly record struct DialHints
{
    /// <summary>The path's round-trip time as measured on an earlier connection to the same host, if any.</summary>
    public TimeSpan? RoundTrip { get; init; }

    /// <summary>This connection will send much: bbr may pay.</summary>
    public bool Sends { get; init; }

    /// <summary>TLS comes as soon as it is there: what the system needs for that is made ready meanwhile.</summary>
    public bool IsForTls { get; init; }
}
