using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Testing.Tls;

/// <summary>A server's certificate and TLS settings.</summary>
internal sealed class TlsIdentity : IDisposable
{
    private readonly FtpTestServerOptions _options;
    private readonly SslStreamCertificateContext _context;
    private readonly bool _owned;

    public TlsIdentity(FtpTestServerOptions options)
    {
        _options = options;
        _owned = options.Certificate is null;
        Certificate = options.Certificate ?? FtpTestCertificate.Create();
        _context = SslStreamCertificateContext.Create(Certificate, additionalCertificates: null, offline: true);
    }

    public X509Certificate2 Certificate { get; }

    public TlsCredentials ForControlConnection() => new(_options, _context);

    public void Dispose()
    {
        if (_owned) Certificate.Dispose();
    }
}
