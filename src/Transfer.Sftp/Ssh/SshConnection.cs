using Transfer.Sftp.Ssh.Channels;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Transport;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh;

/// <summary>
/// An SSH connection, logged in: commands and tunnels, side by side. Thread-safe. When it is lost, everything on it fails with the same
/// <see cref="TransferConnectionException"/>.
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

    /// <summary>What the server calls itself (RFC 4253 section 4.2), for example <c>SSH-2.0-OpenSSH_9.2</c>.</summary>
    public string ServerVersion => _transport.ServerVersion;

    /// <summary>The path's round-trip time as connecting showed it: the shorter of the TCP handshake and the key exchange.</summary>
    public TimeSpan RoundTrip => _channels.RoundTrip;

    /// <summary>The host and the way to it, for messages.</summary>
    public string Place { get; }

    /// <summary>The log-in took answers that count once: no other connection can be made without new ones.</summary>
    public bool HasOneTimeLogIn { get; init; }

    /// <summary>How long dialling and the log-in took, pauses for a person excluded.</summary>
    public TimeSpan LogInTime { get; init; }

    /// <summary>True until the connection is over.</summary>
    public bool IsUsable => _transport.Failure is null;

    /// <summary>Completes when the connection is over, for whatever reason.</summary>
    public Task Ended => _transport.Ended;

    /// <summary>Why the connection is over; null while it lives.</summary>
    public TransferConnectionException? Failure => _transport.Failure;

    /// <summary>Opens a TCP connection from the server to a third host (direct-tcpip, RFC 4254 section 7.2).</summary>
    /// <exception cref="TransferException">Forbidden (<see cref="TransferError.Denied"/>), or the server cannot reach the host (<see cref="TransferError.Lost"/>).</exception>
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

    /// <summary>Says goodbye and closes the connection with everything on it.</summary>
    public async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync().ConfigureAwait(false);
        await _reading.ConfigureAwait(false);
    }

    public static ValueTask<SshConnection> ConnectAsync(SshConnectionSettings settings, CancellationToken ct) => SshConnector.ConnectAsync(settings, ct);

    /// <summary>Opens a channel to a subsystem, for example <c>sftp</c>. A refusal shows when its input is read (<see cref="TransferError.Unsupported"/>).</summary>
    public async ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct) => await OpenSessionAsync("subsystem", name, ct).ConfigureAwait(false);

    /// <summary>Runs a command (RFC 4254 section 6.5). That the server refuses the command shows when its output is read.</summary>
    /// <exception cref="TransferException">The server opens no further channel (<see cref="TransferError.Denied"/>).</exception>
    public async ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct) => await OpenSessionAsync("exec", command, ct).ConfigureAwait(false);

    /// <summary>Exchanges new keys now; nothing waits for it.</summary>
    public void Rekey() => _transport.Rekey();

    private async ValueTask<OpenChannel> OpenSessionAsync(string request, string argument, CancellationToken ct)
    {
        var channel = await _channels.OpenAsync("session", null, ct).ConfigureAwait(false);
        channel.Request(request, argument);
        return channel;
    }
}
