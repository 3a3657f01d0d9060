using System.Net;
using System.Net.Sockets;
using Transfer.Testing.Connections;
using Transfer.Testing.Links;

namespace Transfer.Testing;

/// <summary>
/// A link in process, with delay and rate, in front of any TCP server. Order, half-closes and resets are kept and are delayed like bytes.
/// The link relays at the level of sockets: loss, packets and TCP's own slow start are not simulated, and a <c>connect</c> returns at once
/// (the round trip of the handshake is added to the first bytes).
/// </summary>
public sealed class TestLink : IAsyncDisposable
{
    private readonly Lock _sync = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly HashSet<LinkConnection> _connections = [];
    private readonly BackgroundTasks _running = new();
    private readonly LinkListener? _first;
    private bool _disposed;

    internal TestLink(LinkOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.RoundTrip, TimeSpan.Zero, nameof(options));
        if (options.BytesPerSecond is { } rate) ArgumentOutOfRangeException.ThrowIfNegativeOrZero(rate, nameof(options));
        Clock = new LinkClock(options.TimeProvider);
        Forward = new LinkWire(options, Clock);
        Back = new LinkWire(options, Clock);
    }

    private TestLink(LinkOptions options, IPEndPoint listen, EndPoint target)
        : this(options) => _first = Listen(listen, target);

    /// <summary>Where to connect to instead of the target.</summary>
    public IPEndPoint EndPoint => _first?.EndPoint ?? throw new InvalidOperationException("This link has no near end of its own.");

    /// <summary>Bytes delivered to the target.</summary>
    public long BytesForward => Forward.Delivered;

    /// <summary>Bytes delivered from the target.</summary>
    public long BytesBack => Back.Delivered;

    /// <summary>Connections on the link now.</summary>
    public int Connections
    {
        get
        {
            lock (_sync) return _connections.Count;
        }
    }

    internal LinkClock Clock { get; }

    internal LinkWire Forward { get; }

    internal LinkWire Back { get; }

    internal LinkGate Gate { get; } = new();

    /// <summary>Starts a link.</summary>
    /// <param name="target">The target of all connections; a name is looked up for each.</param>
    /// <param name="options">Delay and rate.</param>
    /// <param name="listen">The near end; null: a free port of 127.0.0.1.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    public static Task<TestLink> StartAsync(EndPoint target, LinkOptions options, IPEndPoint? listen = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(options);
        cancellationToken.ThrowIfCancellationRequested();
        return Task.FromResult(new TestLink(options, listen ?? new IPEndPoint(IPAddress.Loopback, 0), target));
    }

    /// <summary>Resets every connection now, at both ends.</summary>
    public void CutAll()
    {
        LinkConnection[] connections;
        lock (_sync) connections = [.. _connections];
        foreach (var connection in connections) connection.Reset();
    }

    /// <summary>Delivers that many more bytes in one direction, over all connections, then resets every connection. Once.</summary>
    public void CutAfter(long bytes, LinkDirection direction)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        if ((direction == LinkDirection.Forward ? Forward : Back).CutAfter(bytes)) CutAll();
    }

    /// <summary>Holds all bytes back until called with false. Nothing is lost.</summary>
    public void Stall(bool stalled) => Gate.Stall(stalled);

    /// <summary>Stops listening, resets all connections and waits for them.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_sync)
        {
            if (_disposed) return;
            _disposed = true;
        }

        _first?.Dispose();
        await _stop.CancelAsync().ConfigureAwait(false);
        CutAll();
        await _running.WhenAllAsync().ConfigureAwait(false);
        Clock.Dispose();
        _stop.Dispose();
    }

    /// <summary>Opens another near end on the same wires; the caller disposes of it.</summary>
    internal LinkListener Listen(IPEndPoint listen, EndPoint target) => new(this, listen, target);

    internal void Carry(Socket near, EndPoint target)
    {
        LinkConnection connection;
        lock (_sync)
        {
            if (_disposed)
            {
                near.Dispose();
                return;
            }

            connection = new LinkConnection(this, near, target, _stop.Token);
            _connections.Add(connection);
            _running.Add(CarryAsync(connection));
        }

        async Task CarryAsync(LinkConnection carried)
        {
            // Off the lock, and off the accepting loop.
            await Task.Yield();
            try
            {
                await carried.RunAsync().ConfigureAwait(false);
            }
            finally
            {
                lock (_sync) _connections.Remove(carried);
                carried.Dispose();
            }
        }
    }
}
