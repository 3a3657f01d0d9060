using System.Net.Security;
using System.Security.Cryptography;

namespace Transfer.Dialing;

/// <summary>The end of what one side says under TLS (RFC 8446 section 6.1).</summary>
public static class TlsCloseNotify
{
    /// <summary>Says that nothing more will come.</summary>
    /// <param name="tls">The connection, on which nobody may be writing.</param>
    /// <param name="cancellationToken">Ends the wait for it, not what is waited for.</param>
    /// <exception cref="IOException">The connection is lost.</exception>
    public static async Task SendAsync(SslStream tls, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tls);
        try
        {
            await tls.ShutdownAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is CryptographicException || !e.GetType().IsVisible)
        {
            // What OpenSSL says of a connection that has failed before comes as an exception of .NET's own, most often one that nobody else could catch.
            throw new IOException("TLS had failed before it was ended.", e);
        }
    }
}
