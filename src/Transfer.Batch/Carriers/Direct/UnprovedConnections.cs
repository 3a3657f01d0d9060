using System.Buffers.Binary;
using System.Net;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>
/// The connections whose other side has proved nothing yet. There are few, and a new one is never turned away: where there is no room, the oldest of the
/// network address that has the most goes. So an outsider who opens as many as he can closes his own. Thread-safe.
/// </summary>
/// <remarks>
/// Against many networks at once, of which none has more than the others, the oldest goes of all. An honest sender needs its place for two round trips, so it takes as
/// many newcomers as there are places within that time, from as many networks, to push it out: hundreds to a thousand a second, and as many handshakes, for as long as
/// it is to be kept out. It stays no matter how many places are held by who came before it and says nothing, which no other rule gives: to choose one by lot may hit
/// it at the first newcomer, and to let the newest go would shut everybody out who comes after them. Whoever has a proved connection is out of reach of all that, and
/// tries lanes that are lost again.
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

    /// <summary>Takes a connection in; another one may be cancelled for it.</summary>
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

    /// <summary>It has proved itself, or is gone.</summary>
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
            // It was over just then.
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
