using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Testing;

/// <summary>An FTP and FTPS server in process.</summary>
public sealed class FtpTestServer : IAsyncDisposable
{
    private FtpTestServer(FtpTestServerOptions options) => Store = options.Store ?? new MemoryStore();

    /// <summary>Where clients connect to; the link's near end when there is a link.</summary>
    public IPEndPoint EndPoint => throw new NotImplementedException();

    /// <summary><c>ftp://127.0.0.1:port/</c>; <c>ftpes</c> with explicit TLS, <c>ftps</c> with implicit.</summary>
    public Uri Uri => throw new NotImplementedException();

    /// <summary>The files.</summary>
    public IFtpTestStore Store { get; }

    /// <summary>What was received on all control connections, in order of arrival.</summary>
    public IReadOnlyList<FtpTestCommand> Commands => throw new NotImplementedException();

    /// <summary>Control connections open now.</summary>
    public int CurrentConnections => throw new NotImplementedException();

    /// <summary>The most control connections that were open at once.</summary>
    public int PeakConnections => throw new NotImplementedException();

    /// <summary>Control connections accepted so far.</summary>
    public int TotalConnections => throw new NotImplementedException();

    /// <summary>Data connections opened so far.</summary>
    public int DataConnections => throw new NotImplementedException();

    /// <summary>Data connections so far that resumed a TLS session.</summary>
    public int ResumedDataConnections => throw new NotImplementedException();

    /// <summary>The certificate shown, or null without TLS.</summary>
    public X509Certificate2? Certificate => throw new NotImplementedException();

    /// <summary>Scripted faults.</summary>
    public FtpFaults Faults { get; } = new();

    /// <summary>The link in front of the control port, or null.</summary>
    public TestLink? Link => throw new NotImplementedException();

    /// <summary>Starts a server.</summary>
    public static Task<FtpTestServer> StartAsync(FtpTestServerOptions? options = null, CancellationToken ct = default)
    {
        ct.ThrowIfCancellationRequested();
        return Task.FromResult(new FtpTestServer(options ?? new()));
    }

    /// <summary>Resets every control connection now.</summary>
    public void DropConnections() => throw new NotImplementedException(ToString());

    /// <summary>Stops listening, ends all connections and waits for them.</summary>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
