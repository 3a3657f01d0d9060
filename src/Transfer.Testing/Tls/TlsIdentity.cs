using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Testing.Tls;

/// <summary>A server's certificate and what it asks of TLS.</summary>
internal sealed class TlsIdentity : IDisposable
{
    private readonly FtpTestServerOptions _options;
    private readonly SslStreamCertificateContext _shared;
    private readonly bool _owned;

    public TlsIdentity(FtpTestServerOptions options)
    {
        _options = options;
        _owned = options.Certificate is null;
        Certificate = options.Certificate ?? FtpTestCertificate.Create();
        _shared = CreateContext();
    }

    public X509Certificate2 Certificate { get; }

    /// <summary>
    /// Sessions are resumed within one certificate context only. Where reuse is required every control connection has its own,
    /// so that only its own session counts, as in servers with a process for each connection.
    /// </summary>
    public TlsCredentials ForControlConnection() => new(_options, _options.RequireTlsSessionReuse ? CreateContext() : _shared);

    public void Dispose()
    {
        if (_owned) Certificate.Dispose();
    }

    private SslStreamCertificateContext CreateContext() => SslStreamCertificateContext.Create(Certificate, additionalCertificates: null, offline: true);
}
