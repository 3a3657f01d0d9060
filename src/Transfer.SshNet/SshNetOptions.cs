using Transfer.Sftp;

namespace Transfer.SshNet;

/// <summary>
/// Options of a client over SSH.NET beyond <see cref="TransferClientOptions"/>. Address, log-in, algorithms and proxy are those of the
/// application's connections.
/// </summary>
/// <remarks>
/// <see cref="TransferClientOptions.Dial"/> and <see cref="TransferClientOptions.Credential"/> have no effect: SSH.NET opens sockets and
/// logs in by itself. <see cref="TransferClientOptions.MaxBufferBytes"/> does not bound SSH.NET's memory: up to 6.5 MB a session, in reads
/// under way.
/// </remarks>
public sealed record SshNetOptions : TransferClientOptions
{
    /// <summary>Creates options with all defaults.</summary>
    public SshNetOptions()
    {
    }

    /// <summary>Creates options with the values that all clients share.</summary>
    public SshNetOptions(TransferClientOptions common)
        : base(common)
    {
    }

    /// <summary>
    /// The trusted host keys. SSH.NET alone trusts every key that no handler of <c>HostKeyReceived</c> refuses. Null: for connections made
    /// from a <c>ConnectionInfo</c>, which has no handlers, the keys of <c>known_hosts</c>; for those made from an <c>SftpClient</c> the
    /// keys that its handlers do not refuse. Set: both the handlers and these options must trust the key.
    /// </summary>
    public SshHostKeyOptions? HostKeys { get; init; }
}
