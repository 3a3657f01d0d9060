using System.Net.Security;
using System.Security.Cryptography;

namespace Transfer.Dialing;

/// <summary>The alert that ends one direction of TLS (RFC 8446 section 6.1).</summary>
internal static class TlsCloseNotify
{
    /// <summary>Announces that nothing more will come.</summary>
    /// <param name="tls">The connection, on which no write may be under way.</param>
    /// <param name="cancellationToken">Ends the wait, not the sending.</param>
    /// <exception cref="IOException">The connection is lost.</exception>
    public static async Task SendAsync(SslStream tls, CancellationToken cancellationToken = default)
    {
        try
        {
            await tls.ShutdownAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is CryptographicException || !e.GetType().IsVisible)
        {
            // OpenSSL's error on a connection that has failed before comes as an exception of .NET's own, most often of a type that no
            // caller could catch.
            throw new IOException("TLS had failed before it was ended.", e);
        }
    }
}
