using System.Text;
using Microsoft.Extensions.Logging;
using Renci.SshNet;
using Renci.SshNet.Common;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.SshNet.Diagnostics;

namespace Transfer.SshNet.Session;

/// <summary>Opens sessions: one client of SSH.NET each, made by the application.</summary>
internal sealed class SshNetConnector : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Func<SftpClient> _connect;
    private readonly TransferClientOptions _options;
    private readonly SshHostKeyOptions? _hostKeys;
    private readonly ILogger _logger;
    private readonly SshNetServerState _server = new();
    private readonly List<WeakReference<SshNetSession>> _sessions = [];
    private SftpClient? _first;

    /// <param name="first">An existing client, for the first session.</param>
    /// <param name="connect">Makes clients.</param>
    /// <param name="options">The options of the sessions' client.</param>
    /// <param name="hostKeys">The trusted host keys; null: those that the application's handlers do not refuse.</param>
    /// <param name="logger">The log.</param>
    public SshNetConnector(SftpClient first, Func<SftpClient> connect, TransferClientOptions options, SshHostKeyOptions? hostKeys,
        ILogger logger)
    {
        (_first, _connect, _options, _hostKeys, _logger) = (first, connect, options, hostKeys, logger);
    }

    /// <summary>Opens a session.</summary>
    /// <exception cref="TransferException">No connection, the host key is not trusted, or the log-in was refused.</exception>
    public async ValueTask<SshNetSession> OpenAsync(CancellationToken ct)
    {
        var client = Take() ?? _connect();
        var host = new HostKeyCheck(client.ConnectionInfo.Host, client.ConnectionInfo.Port, _hostKeys, _logger);
        client.Tune();
        if (!client.IsConnected)
        {
            // Names that are not UTF-8 are preserved, unless the application has chosen an encoding.
            if (Equals(client.ConnectionInfo.Encoding, Encoding.UTF8)) client.ConnectionInfo.Encoding = NameEncoding.LosslessUtf8;
            host.Prefer(client.ConnectionInfo);
            client.HostKeyReceived += host.Check;
            var (what, limit, time) = ($"The log-in at {host.Name}", _options.LogInTimeout, _options.TimeProvider);
            await LogInClock.RunAsync(what, limit, time, clock => ConnectAsync(client, host, clock.Token), ct).ConfigureAwait(false);
        }
        var session = new SshNetSession(client, _options, _server, _logger);
        lock (_gate)
        {
            _sessions.RemoveAll(other => !other.TryGetTarget(out _));
            _sessions.Add(new(session));
        }
        return session;
    }

    /// <summary>Whether a failed opening means that the server allows no further session beside the open ones.</summary>
    public bool IsLimit(TransferException error)
    {
        if (error is not TransferConnectionException { Error: TransferError.Lost }) return false;
        lock (_gate) return _sessions.Exists(other => other.TryGetTarget(out var session) && session.Usable);
    }

    public void Dispose() => Take()?.Dispose();

    private SftpClient? Take()
    {
        lock (_gate)
        {
            var first = _first;
            _first = null;
            return first;
        }
    }

    // On a thread of its own, as even ConnectAsync blocks in large part; and Connect requests larger socket buffers.
    private async ValueTask<bool> ConnectAsync(SftpClient client, HostKeyCheck host, CancellationToken ct)
    {
        var user = client.ConnectionInfo.Username;
        var connecting = SshNetCalls.OnThreadAsync(() =>
        {
            client.Connect();
            return true;
        });
        try
        {
            return await connecting.WaitAsync(ct).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            SshNetCalls.Forget(connecting);
            _ = SshNetCalls.OnThreadAsync(() => Close(client));
            if (e is OperationCanceledException) throw;
            if (host.Refusal is { } refusal) throw refusal;
            var request = e is SshAuthenticationException ? $"{host.Name} refuses the log-in of {user}" : $"Cannot connect to {host.Name}";
            throw SshNetErrors.Map(e, request, path: null);
        }
    }

    private bool Close(SftpClient client)
    {
        try
        {
            client.Dispose();
        }
        catch (Exception e)
        {
            Log.NotClosed(_logger, e);
        }
        return true;
    }
}
