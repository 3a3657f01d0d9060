using System.Net;

namespace Transfer.Ftp.Protocol;

/// <summary>The address and ports at which the client listens in active mode.</summary>
internal sealed record ActiveSettings
{
    /// <summary>The address to announce (of the same family), or null for the control connection's local one.</summary>
    public IPAddress? AnnouncedAddress { get; init; }

    /// <summary>The first port to listen on; 0 lets the system choose.</summary>
    public int FirstPort { get; init; }

    /// <summary>The last port to listen on, inclusive.</summary>
    public int LastPort { get; init; }
}
