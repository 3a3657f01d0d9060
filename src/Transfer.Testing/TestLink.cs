using System.Net;

namespace Transfer.Testing;

/// <summary>A link in process, with delay and rate, in front of any TCP server.</summary>
public sealed class TestLink : IAsyncDisposable
{
    private TestLink(IPEndPoint endPoint) => EndPoint = endPoint;

    /// <summary>Where to connect to instead of the target.</summary>
    public IPEndPoint EndPoint { get; }

    /// <summary>Bytes delivered to the target.</summary>
    public long BytesForward => throw new NotImplementedException();

    /// <summary>Bytes delivered from the target.</summary>
    public long BytesBack => throw new NotImplementedException();

    /// <summary>Starts a link on a free loopback port.</summary>
    public static Task<TestLink> StartAsync(EndPoint target, LinkOptions options, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ct.ThrowIfCancellationRequested();
        return Task.FromResult(new TestLink((IPEndPoint)target));
    }

    /// <summary>Resets every connection now.</summary>
    public void CutAll() => throw new NotImplementedException(ToString());

    /// <summary>Delivers that many more bytes in one direction, over all connections, then resets every connection. Once.</summary>
    public void CutAfter(long bytes, LinkDirection direction) => throw new NotImplementedException(ToString());

    /// <summary>Holds everything back until it is called with false. Nothing is lost.</summary>
    public void Stall(bool stalled) => throw new NotImplementedException(ToString());

    /// <summary>Stops listening, resets all connections and waits for them.</summary>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
