using System.Net;
using System.Net.Sockets;

namespace Transfer;

/// <summary>The options for opening sockets, common to control, data, SSH and batch connections.</summary>
public sealed record DialOptions
{
    /// <summary>The longest time of one dial: name resolution, all addresses and the proxy included.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>The time after which the next address is tried beside the one before (RFC 8305 section 5).</summary>
    public TimeSpan ConnectionAttemptDelay { get; init; } = TimeSpan.FromMilliseconds(250);

    /// <summary>The address family to use; <see cref="AddressFamily.Unspecified"/>: any that the name has.</summary>
    public AddressFamily AddressFamily { get; init; } = AddressFamily.Unspecified;

    /// <summary>
    /// The send buffer in bytes. Null: 1 MiB or twice the path's bandwidth-delay product, unless the system's autotuning reaches further.
    /// </summary>
    public int? SendBufferSize { get; init; }

    /// <summary>The receive buffer in bytes; null as for <see cref="SendBufferSize"/>.</summary>
    public int? ReceiveBufferSize { get; init; }

    /// <summary>The congestion control of sockets for bulk sending (Linux).</summary>
    public CongestionControl CongestionControl { get; init; } = CongestionControl.Auto;

    /// <summary>The proxy for all connections, or null.</summary>
    public ProxyOptions? Proxy { get; init; }

    /// <summary>The local address of connections, or null. A port other than 0 allows one connection at a time.</summary>
    public IPEndPoint? LocalEndPoint { get; init; }

    /// <summary>The idle time before TCP keep-alive probes start; null: no keep-alive.</summary>
    public TimeSpan? KeepAlive { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Refuses values that no dial can have.</summary>
    /// <exception cref="ArgumentException">
    /// A property breaks its rule: the message names both; the parameter name is the property's.
    /// </exception>
    internal void Validate()
    {
        var rules = new OptionRules(nameof(DialOptions));
        rules.Require(ConnectTimeout > TimeSpan.Zero || ConnectTimeout == Timeout.InfiniteTimeSpan, nameof(ConnectTimeout),
            "must be more than zero, or Timeout.InfiniteTimeSpan");
        rules.NotNegative(ConnectionAttemptDelay);
        rules.AtLeast(SendBufferSize, 1);
        rules.AtLeast(ReceiveBufferSize, 1);
        if (KeepAlive is { } idle) rules.NotNegative(idle, nameof(KeepAlive));
        Proxy?.Validate();
    }
}
