using System.Net;

namespace Transfer.Testing;

/// <summary>Addresses that only this machine reaches.</summary>
internal static class Loopback
{
    /// <summary>Refuses an address that other machines could reach.</summary>
    /// <exception cref="ArgumentException">The address is no loopback address.</exception>
    public static void Require(IPAddress address)
    {
        if (!IPAddress.IsLoopback(address))
            throw new ArgumentException($"{address} is no loopback address, and a test server belongs on no network.", nameof(address));
    }
}
