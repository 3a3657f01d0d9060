namespace Transfer.Sftp.Ssh.Settings;

/// <summary>A connection to a host through which other hosts can be reached (ProxyJump).</summary>
internal interface ISshTunnel : ISshLink
{
    /// <summary>The host and the route to it, for messages.</summary>
    string Place { get; }

    /// <summary>Opens a stream to another host from there (RFC 4254 section 7.2).</summary>
    ValueTask<Stream> OpenTunnelAsync(string host, int port, CancellationToken cancellationToken);
}
