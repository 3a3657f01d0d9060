using System.Net;

namespace Transfer.Wan.Link;

/// <summary>
/// A link between two places, <see cref="Near"/> for clients and <see cref="Far"/> for servers. Its shape can be changed while servers run.
/// </summary>
internal abstract class WanLink : IAsyncDisposable
{
    /// <summary>The addresses of both ends.</summary>
    public const string Subnet = "10.77.0.0/24";

    /// <summary>How it is made, as the records say it: <c>tun</c>, <c>netem</c>.</summary>
    public abstract string Means { get; }

    public abstract LinkEnd Near { get; }

    public abstract LinkEnd Far { get; }

    /// <summary>What the link itself has cost in processor seconds so far; null: the kernel does it.</summary>
    public abstract double? ProcessorSeconds { get; }

    protected static IPAddress NearAddress { get; } = IPAddress.Parse("10.77.0.1");

    protected static IPAddress FarAddress { get; } = IPAddress.Parse("10.77.0.2");

    /// <summary>Makes it another link. What is under way is gone.</summary>
    public abstract Task ReshapeAsync(LinkSettings settings);

    public abstract ValueTask DisposeAsync();
}
