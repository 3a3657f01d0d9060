using System.Net;

namespace Transfer.ServerTests.Servers;

/// <summary>Where a server runs: on this machine's loopback, unless a derived place says otherwise (a network namespace, say).</summary>
public class ServerPlace
{
    public static ServerPlace Here { get; } = new();

    /// <summary>The address it listens at.</summary>
    public virtual IPAddress Address => IPAddress.Loopback;

    /// <summary>Calls what starts a process or makes a socket there.</summary>
    public virtual T Inside<T>(Func<T> make) => make();
}
