using Transfer.Sftp;

namespace Transfer.SshNet;

/// <summary>
/// Options of a client over SSH.NET beyond <see cref="TransferClientOptions"/>. Address, log-in, algorithms and proxy are those of the
/// connections that the application makes.
/// </summary>
/// <remarks>
/// <see cref="TransferClientOptions.Dial"/> and <see cref="TransferClientOptions.Credential"/> have no effect: SSH.NET opens its sockets
/// and logs in by itself. <see cref="TransferClientOptions.MaxBufferBytes"/> does not bound what SSH.NET has in memory: up to 6.5 MB a
/// session, in reads under way.
/// </remarks>
public sealed record SshNetOptions : TransferClientOptions
{
    /// <summary>Everything as it is by default.</summary>
    public SshNetOptions()
    {
    }

    /// <summary>Takes over what all clients share.</summary>
    public SshNetOptions(TransferClientOptions common)
        : base(common)
    {
    }

    /// <summary>
    /// The host keys that are trusted. SSH.NET by itself trusts every key that no handler of <c>HostKeyReceived</c> refuses. Null: of
    /// connections made from a <c>ConnectionInfo</c>, to which nobody can add a handler, the keys of <c>known_hosts</c>; of connections
    /// made from an <c>SftpClient</c> those that its handlers do not refuse. Set: both the handlers and these options must trust the key.
    /// </summary>
    public SshHostKeyOptions? HostKeys { get; init; }
}
