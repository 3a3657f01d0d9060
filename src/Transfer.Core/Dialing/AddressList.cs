using System.Net;
using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>The order in which a name's addresses are tried.</summary>
internal static class AddressList
{
    /// <summary>
    /// Keeps one family where the options name one, drops repeated addresses, and interleaves the families, beginning with that of the
    /// first address: the resolver has sorted by RFC 6724 already (RFC 8305 section 4, First Address Family Count 1).
    /// </summary>
    public static IReadOnlyList<IPAddress> Order(IEnumerable<IPAddress> addresses, AddressFamily family)
    {
        var usable = addresses.Where(a => family == AddressFamily.Unspecified || a.AddressFamily == family).Distinct().ToList();
        if (usable.Count < 2) return usable;

        var first = new Queue<IPAddress>(usable.Where(a => a.AddressFamily == usable[0].AddressFamily));
        var second = new Queue<IPAddress>(usable.Where(a => a.AddressFamily != usable[0].AddressFamily));
        var ordered = new List<IPAddress>(usable.Count);
        while (ordered.Count < usable.Count)
        {
            if (first.TryDequeue(out var address)) ordered.Add(address);
            if (second.TryDequeue(out address)) ordered.Add(address);
        }
        return ordered;
    }
}
