namespace Transfer.Wan.Clients.StockFtp;

/// <summary>
/// What the stock client does, and which of its faults are mended. By default none is.
/// </summary>
/// <remarks>
/// The commands and their order are those of FtpWebRequest, the FTP client of the .NET libraries, and so is a session for each file: .NET
/// Framework kept sessions,
/// .NET does not (dotnet/corefx issue 23404). The reverse look-up of each data connection's address and the small send buffer are what
/// the published analysis of a slow .NET client found: Dns.GetHostEntry and Dns.Resolve look an address up backwards even when they are
/// given one, and TcpClient.SendBufferSize is documented as 8,192 bytes.
/// FtpWebRequest itself does not resolve the data connection's address today.
/// </remarks>
internal sealed record StockFtpOptions
{
    /// <summary>How long the resolver takes to say that the address has no name; played, not asked.</summary>
    public TimeSpan ResolverDelay { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Each data connection's address is looked up backwards before it is connected to.</summary>
    public bool ReverseLookup { get; init; } = true;

    /// <summary>SO_SNDBUF of data connections, and bytes a write; 0: the system's own buffer.</summary>
    public int SendBuffer { get; init; } = 8192;

    /// <summary>Commands that need no answer of one another leave in one write, and data does not wait for the 150.</summary>
    public bool OverlapCommands { get; init; }

    /// <summary>All files go over one session.</summary>
    public bool KeepSession { get; init; }
}
