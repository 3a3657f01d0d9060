using System.Net;

namespace Transfer.Ftp;

/// <summary>The address at which the server reaches the client in active mode.</summary>
public sealed record FtpActiveOptions
{
    /// <summary>The address to announce; null: the control connection's own.</summary>
    public IPAddress? Address { get; init; }

    /// <summary>The first port to listen on; 0 with <see cref="LastPort"/> 0: any.</summary>
    public int FirstPort { get; init; }

    /// <summary>The last port to listen on.</summary>
    public int LastPort { get; init; }
}
