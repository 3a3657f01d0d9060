using System.Net;
using System.Net.Sockets;
using Transfer.Testing.Connections;
using Transfer.Testing.Keys;
using Transfer.Testing.Links;
using Transfer.Testing.Ssh;

namespace Transfer.Testing;

/// <summary>
/// An SFTP server in process: version 3 with OpenSSH's extensions, over SSH of its own (RFC 4251 to 4254). The server offers the subsystem
/// <c>sftp</c> and refuses commands, shells and forwarding. Requests of a channel are executed one at a time in the order of arrival.
/// </summary>
public sealed class SftpTestServer : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _sync = new();
    private readonly HashSet<SshServerSession> _sessions = [];
    private readonly SshServerCore _core;
    private readonly ConnectionListener _listener;
    private bool _disposed;

    private SftpTestServer(SftpTestServerOptions options)
    {
        Store = options.Store ?? new MemoryStore(time: options.TimeProvider);
        Link = options.Link is null ? null : new TestLink(options.Link);
        var keys = new HostKeySet(options.HostKeys);
        try
        {
            _core = new SshServerCore
            {
                Options = options,
                Store = Store,
                HostKeys = keys,
                Algorithms = ServerAlgorithms.Of(options, keys),
                AuthorizedKeys = new AuthorizedKeys(options.AuthorizedKeys),
                Rules = Faults.Rules,
                Log = new CommandLog(options.CommandsKept),
                Counts = new ConnectionCounts(options.MaxConnections, options.MaxConnectionsPerUser),
                Stopping = _stop.Token,
            };
            _listener = new ConnectionListener(options.Address, options.Port, Link, options.TimeProvider, ServeAsync);
        }
        catch
        {
            keys.Dispose();
            _stop.Dispose();
            throw;
        }
    }

    /// <summary>Where clients connect to; the link's near end when there is a link.</summary>
    public IPEndPoint EndPoint => _listener.EndPoint;

    /// <summary><c>sftp://127.0.0.1:port/</c>.</summary>
    public Uri Uri => _listener.UriOf("sftp");

    /// <summary>The server's keys: those of the options, or the one that was made.</summary>
    public IReadOnlyList<SftpTestKey> HostKeys => _core.HostKeys.Keys;

    /// <summary>The first host key's fingerprint, to pin: <c>SHA256:</c> and base64 without padding.</summary>
    public string Fingerprint => HostKeys[0].Fingerprint;

    /// <summary>Lines for a <c>known_hosts</c> file, one a host key.</summary>
    public string KnownHosts => string.Concat(HostKeys.Select(key => $"[{EndPoint.Address}]:{EndPoint.Port} {key.PublicKey}\n"));

    /// <summary>The files.</summary>
    public ITestStore Store { get; }

    /// <summary>
    /// The attempts to log in (<see cref="SftpFaults.LogIn"/>), the requests for subsystems and commands, and the SFTP requests, of all
    /// connections in the order they were taken up.
    /// </summary>
    public IReadOnlyList<TestCommand> Commands => _core.Log.Snapshot();

    /// <summary>Connections open now.</summary>
    public int CurrentConnections => _core.Counts.Current;

    /// <summary>The most connections that were open at once; those refused for their number do not count.</summary>
    public int PeakConnections => _core.Counts.Peak;

    /// <summary>Connections accepted so far, also those refused for their number.</summary>
    public int TotalConnections => _core.Counts.Total;

    /// <summary>Scripted faults.</summary>
    public SftpFaults Faults { get; } = new();

    /// <summary>The link that carries all connections of this server, or null.</summary>
    public TestLink? Link { get; }

    /// <summary>Starts a server.</summary>
    /// <exception cref="SocketException">The address or port can't be had.</exception>
    /// <exception cref="ArgumentException">The options name an algorithm that is not built in, a line that is no public key, or an address
    /// that is no loopback address.</exception>
    public static Task<SftpTestServer> StartAsync(SftpTestServerOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (options is not null) Loopback.Require(options.Address);
        return Task.Run(() => new SftpTestServer(options ?? new SftpTestServerOptions()), cancellationToken);
    }

    /// <summary>Resets every connection now.</summary>
    public void DropConnections()
    {
        SshServerSession[] sessions;
        lock (_sync) sessions = [.. _sessions];
        foreach (var session in sessions) session.Reset();
    }

    /// <summary>Stops listening, ends all connections and waits for them.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_sync)
        {
            if (_disposed) return;
            _disposed = true;
        }

        await _listener.DisposeAsync().ConfigureAwait(false);
        await _stop.CancelAsync().ConfigureAwait(false);
        if (Link is not null) await Link.DisposeAsync().ConfigureAwait(false);
        await _listener.Connections.WhenAllAsync().ConfigureAwait(false);
        _core.HostKeys.Dispose();
        _stop.Dispose();
    }

    private async Task ServeAsync(Socket socket)
    {
        var isAdmitted = _core.Counts.Open(out var number);

        // Off the accepting loop.
        await Task.Yield();
        try
        {
            socket.NoDelay = true;
            var session = new SshServerSession(_core, socket, number);
            lock (_sync) _sessions.Add(session);
            await session.RunAsync(refused: !isAdmitted).ConfigureAwait(false);
            lock (_sync) _sessions.Remove(session);
        }
        catch (SocketException)
        {
            // The client has left so soon that its socket can't be used any more.
            socket.Dispose();
        }
        finally
        {
            if (isAdmitted) _core.Counts.Close();
        }
    }
}
