using System.Net.Security;

namespace Transfer.Testing.Tls;

/// <summary>The server's side of TLS for one control connection and its data connections.</summary>
internal sealed class TlsCredentials
{
    private readonly FtpTestServerOptions _options;
    private readonly SslStreamCertificateContext _context;

    public TlsCredentials(FtpTestServerOptions options, SslStreamCertificateContext context)
    {
        _options = options;
        _context = context;
    }

    /// <summary>The sessions that data connections may resume.</summary>
    public TlsSessions Sessions { get; } = new();

    public SslServerAuthenticationOptions ForControl() => Create(_options.RequireClientCertificate);

    public SslServerAuthenticationOptions ForData() => Create(clientCertificate: false);

    private SslServerAuthenticationOptions Create(bool clientCertificate)
    {
        var options = new SslServerAuthenticationOptions
        {
            ServerCertificateContext = _context,
            EnabledSslProtocols = _options.SslProtocols,
            ClientCertificateRequired = clientCertificate,
            AllowTlsResume = true,
        };
        // Any certificate will do: the password decides the log-in.
        if (clientCertificate) options.RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate is not null;
        return options;
    }
}
