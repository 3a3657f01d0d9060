using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Dialing;

/// <summary>
/// The certificates that the system trusts. On Linux .NET reads them from a hundred files and more in a process's first handshake, however
/// the server is judged, by a pinned key included: 0.1 s of computing between two round trips. Reading while the connection opens takes no
/// time of its own.
/// </summary>
internal static class SystemTrust
{
    private static int _begun;

    /// <summary>Begins to read the certificates, once in a process. A handshake that comes earlier waits for the rest.</summary>
    public static void Prepare()
    {
        if (OperatingSystem.IsLinux() && Interlocked.Exchange(ref _begun, 1) == 0) _ = Task.Run(Read);
    }

    private static void Read()
    {
        try
        {
            using var store = new X509Store(StoreName.Root, StoreLocation.LocalMachine, OpenFlags.ReadOnly);
            // This property reads the certificates. These are copies, owned here.
            foreach (var certificate in store.Certificates) certificate.Dispose();
        }
        catch (CryptographicException)
        {
            // The handshake fails in the same way, and reports the failure.
        }
    }
}
