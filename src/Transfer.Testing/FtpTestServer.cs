using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Transfer.Testing.Connections;
using Transfer.Testing.Ftp;
using Transfer.Testing.Ftp.Commands;
using Transfer.Testing.Links;
using Transfer.Testing.Tls;

namespace Transfer.Testing;

/// <summary>
/// An FTP and FTPS server in process: RFC 959, 2228, 2389, 2428, 3659 and 4217, with hashes, MODE Z and common extensions. Commands of a
/// connection are executed one at a time in the order of arrival, so that clients may send several in one write.
/// </summary>
public sealed class FtpTestServer : IAsyncDisposable
{
    private readonly FtpTestServerOptions _options;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _sync = new();
    private readonly HashSet<FtpSession> _sessions = [];
    private readonly ServerCore _core;
    private readonly ConnectionListener _listener;
    private bool _disposed;

    private FtpTestServer(FtpTestServerOptions options)
    {
        _options = options;
        Store = options.Store ?? new MemoryStore(time: options.TimeProvider);
        Link = options.Link is null ? null : new TestLink(options.Link);
        _core = new ServerCore
        {
            Options = options,
            Store = Store,
            Rules = Faults.Rules,
            Log = new CommandLog(options.CommandsKept),
            Counts = new ConnectionCounts(options.MaxConnections, options.MaxConnectionsPerUser),
            Tls = options.Tls == FtpTestTls.None ? null : new TlsIdentity(options),
            Link = Link,
            Stopping = _stop.Token,
            Encoding = options.Utf8
                ? new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true) : options.NameEncoding,
        };
        try
        {
            _listener = new ConnectionListener(options.Address, options.Port, Link, options.TimeProvider, ServeAsync);
        }
        catch
        {
            _core.Tls?.Dispose();
            _stop.Dispose();
            throw;
        }
    }

    /// <summary>Where clients connect to; the link's near end when there is a link.</summary>
    public IPEndPoint EndPoint => _listener.EndPoint;

    /// <summary><c>ftp://127.0.0.1:port/</c>; <c>ftpes</c> with explicit TLS, <c>ftps</c> with implicit.</summary>
    public Uri Uri => _listener.UriOf(_options.Tls switch { FtpTestTls.Explicit => "ftpes", FtpTestTls.Implicit => "ftps", _ => "ftp" });

    /// <summary>The files.</summary>
    public ITestStore Store { get; }

    /// <summary>The commands received on all control connections, in order of arrival.</summary>
    public IReadOnlyList<TestCommand> Commands => _core.Log.Snapshot();

    /// <summary>Control connections open now.</summary>
    public int CurrentConnections => _core.Counts.Current;

    /// <summary>The most control connections that were open at once; those refused with 421 do not count.</summary>
    public int PeakConnections => _core.Counts.Peak;

    /// <summary>Control connections accepted so far, also those refused with 421.</summary>
    public int TotalConnections => _core.Counts.Total;

    /// <summary>Data connections opened so far; those refused by the protocol (no TLS, no session reuse) do not count.</summary>
    public int DataConnections => _core.Counts.Data;

    /// <summary>Data connections so far that resumed a TLS session.</summary>
    public int ResumedDataConnections => _core.Counts.Resumed;

    /// <summary>The server's certificate, or null without TLS. The server disposes of one that it has made.</summary>
    public X509Certificate2? Certificate => _core.Tls?.Certificate;

    /// <summary>Scripted faults.</summary>
    public FtpFaults Faults { get; } = new();

    /// <summary>The link that carries all connections of this server, control and passive data, or null.</summary>
    public TestLink? Link { get; }

    /// <summary>Starts a server.</summary>
    /// <exception cref="SocketException">The address or port can't be had.</exception>
    /// <exception cref="ArgumentException">The address is no loopback address.</exception>
    public static Task<FtpTestServer> StartAsync(FtpTestServerOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (options is not null) Loopback.Require(options.Address);
        return Task.Run(() => new FtpTestServer(options ?? new FtpTestServerOptions()), cancellationToken);
    }

    /// <summary>Resets every control connection now.</summary>
    public void DropConnections()
    {
        FtpSession[] sessions;
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
        await _core.Background.WhenAllAsync().ConfigureAwait(false);
        _core.Tls?.Dispose();
        _stop.Dispose();
    }

    private async Task ServeAsync(Socket socket)
    {
        var isAdmitted = _core.Counts.Open(out var number);
        try
        {
            socket.NoDelay = true;
            using var session = new FtpSession(_core, socket, number);
            await ServeAsync(session, isAdmitted).ConfigureAwait(false);
        }
        catch (SocketException)
        {
            // The client has left so soon that its socket has no addresses any more.
            socket.Dispose();
        }
        finally
        {
            if (isAdmitted) _core.Counts.Close();
        }
    }

    private async Task ServeAsync(FtpSession session, bool isAdmitted)
    {
        lock (_sync) _sessions.Add(session);
        try
        {
            await session.RunAsync(refused: !isAdmitted).ConfigureAwait(false);
        }
        finally
        {
            lock (_sync) _sessions.Remove(session);
            AccessCommands.LogOut(session);
        }
    }
}
