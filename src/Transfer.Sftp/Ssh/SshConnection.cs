using Transfer.Sftp.Ssh.Channels;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh;

/// <summary>
/// A logged-in SSH connection: commands and tunnels, side by side. Thread-safe. When the connection is lost, all its channels fail with
/// the same <see cref="TransferConnectionException"/>.
/// </summary>
internal sealed class SshConnection : IAsyncDisposable, ISshTunnel
{
    private readonly SshTransport _transport;
    private readonly Multiplexer _channels;
    private readonly Task _reading;

    public SshConnection(SshTransport transport, Multiplexer channels, string place)
    {
        Place = place;
        _transport = transport;
        _channels = channels;
        _reading = Task.Run(channels.RunAsync);
    }

    /// <summary>The server's own name (RFC 4253 section 4.2), for example <c>SSH-2.0-OpenSSH_9.2</c>.</summary>
    public string ServerVersion => _transport.ServerVersion;

    /// <summary>The path's round-trip time, measured during connecting: the shorter of the TCP handshake and the key exchange.</summary>
    public TimeSpan RoundTrip => _channels.RoundTrip;

    /// <inheritdoc cref="SshTransport.Methods"/>
    public IReadOnlyList<ServerFact> Methods => _transport.Methods;

    /// <summary>The host and the route to it, for messages.</summary>
    public string Place { get; }

    /// <summary>Whether the log-in took one-time answers: another connection would need new ones.</summary>
    public bool HasOneTimeLogIn { get; init; }

    /// <summary>How long dialling and the log-in took, pauses for a person excluded.</summary>
    public TimeSpan LogInTime { get; init; }

    /// <summary>Whether the connection is alive.</summary>
    public bool IsUsable => _transport.Failure is null;

    /// <summary>Completes when the connection has ended, for any reason.</summary>
    public Task Ended => _transport.Ended;

    /// <summary>The reason of the connection's end; null while it lives.</summary>
    public TransferConnectionException? Failure => _transport.Failure;

    /// <summary>Opens a TCP connection from the server to a third host (direct-tcpip, RFC 4254 section 7.2).</summary>
    /// <exception cref="TransferException">
    /// Forbidden (<see cref="TransferError.Denied"/>), or the server cannot reach the host (<see cref="TransferError.Lost"/>).
    /// </exception>
    public async ValueTask<Stream> OpenTunnelAsync(string host, int port, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(host);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(port);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue);
        var channel = await _channels.OpenAsync("direct-tcpip", writer =>
        {
            writer.WriteString(host);
            writer.WriteUInt32((uint)port);
            writer.WriteString("127.0.0.1"u8); // where the connection is from: nobody's but ours
            writer.WriteUInt32(0);
        }, cancellationToken).ConfigureAwait(false);
        return new ChannelStream(channel);
    }

    /// <summary>Sends a disconnect message and closes the connection with all channels.</summary>
    public async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync().ConfigureAwait(false);
        await _reading.ConfigureAwait(false);
    }

    public static ValueTask<SshConnection> ConnectAsync(SshConnectionSettings settings, CancellationToken ct) =>
        SshConnector.ConnectAsync(settings, ct);

    /// <summary>
    /// Opens a channel to a subsystem, for example <c>sftp</c>. A refusal shows when the input is read
    /// (<see cref="TransferError.Unsupported"/>).
    /// </summary>
    public async ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct) =>
        await OpenSessionAsync("subsystem", name, ct).ConfigureAwait(false);

    /// <summary>Runs a command (RFC 4254 section 6.5). A refusal of the command shows when the output is read.</summary>
    /// <exception cref="TransferException">The server opens no further channel (<see cref="TransferError.Denied"/>).</exception>
    public async ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct) =>
        await OpenSessionAsync("exec", command, ct).ConfigureAwait(false);

    /// <summary>Starts an exchange of new keys, without a wait.</summary>
    public void Rekey() => _transport.Rekey();

    private async ValueTask<OpenChannel> OpenSessionAsync(string request, string argument, CancellationToken ct)
    {
        var channel = await _channels.OpenAsync("session", null, ct).ConfigureAwait(false);
        channel.Request(request, argument);
        return channel;
    }
}
