using System.Buffers.Binary;
using System.Net;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>
/// The connections without a proof of the peer yet. Places are few, and a newcomer is never turned away: when all are taken, the oldest
/// connection of the network address with the most connections is closed. So an outsider who opens as many as possible closes his own.
/// Thread-safe.
/// </summary>
/// <remarks>
/// Against many networks at once, none with more connections than another, the oldest of all is closed. An honest sender needs its place
/// for two round trips, so pushing the sender out takes as many newcomers as there are places within that time, from as many networks:
/// hundreds to a thousand a second, with as many handshakes, for as long as the attack lasts. Silent connections that came earlier, however
/// many, can't push the sender out, which no other rule ensures: a random choice may hit the sender at the first newcomer, and closing the
/// newest would shut out all later peers. A sender with one proved connection is out of reach, and retries lost lanes.
/// </remarks>
internal sealed class UnprovedConnections
{
    private readonly int _most;
    private readonly Lock _gate = new();
    private readonly List<(ulong Network, CancellationTokenSource Connection)> _connections = []; // oldest first

    /// <param name="most">How many there may be.</param>
    public UnprovedConnections(int most) => _most = most;

    public int Count
    {
        get { lock (_gate) return _connections.Count; }
    }

    /// <summary>Adds a connection; another one may be cancelled in exchange.</summary>
    public void Add(IPAddress from, CancellationTokenSource connection)
    {
        CancellationTokenSource? goes = null;
        lock (_gate)
        {
            _connections.Add((NetworkOf(from), connection));
            if (_connections.Count > _most)
            {
                var busiest = _connections.GroupBy(entry => entry.Network).MaxBy(group => group.Count())!.Key;
                var oldest = _connections.FindIndex(entry => entry.Network == busiest);
                goes = _connections[oldest].Connection;
                _connections.RemoveAt(oldest);
            }
        }
        if (goes is not null) _ = CancelAsync(goes);
    }

    /// <summary>Removes a connection that has proved itself or has ended.</summary>
    public void Remove(CancellationTokenSource connection)
    {
        lock (_gate) _connections.RemoveAll(entry => ReferenceEquals(entry.Connection, connection));
    }

    private static async Task CancelAsync(CancellationTokenSource connection)
    {
        try
        {
            await connection.CancelAsync().ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // The connection ended just then.
        }
    }

    // One host has a whole /64 of IPv6 (RFC 6177).
    private static ulong NetworkOf(IPAddress address)
    {
        if (address.IsIPv4MappedToIPv6) address = address.MapToIPv4();
        Span<byte> bytes = stackalloc byte[16];
        bytes.Clear();
        address.TryWriteBytes(bytes, out _);
        return BinaryPrimitives.ReadUInt64BigEndian(bytes);
    }
}
