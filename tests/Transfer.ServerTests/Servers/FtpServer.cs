using Transfer.Ftp;

namespace Transfer.ServerTests.Servers;

/// <summary>An FTP server: a certificate, and ports for passive data connections behind that of the control connections.</summary>
public abstract class FtpServer : RealServer
{
    protected FtpServer(ServerVariant variant)
        : base(variant) => Certificate = Certificates.Write(variant.Certificate, variant.Place.Address, Folder);

    /// <summary>The certificate it shows, as PEM.</summary>
    public string CertificateFile => Certificate.Certificate;

    protected override string Scheme => Variant.Tls switch
    {
        ServerTls.Explicit => "ftpes",
        ServerTls.Implicit => "ftps",
        _ => "ftp",
    };

    private protected CertificateFiles Certificate { get; }

    protected int FirstPassivePort => Port + 1;

    protected int LastPassivePort => Port + Ports.LastPassive;

    public override TransferClient Client(Uri endpoint, Func<TransferClientOptions, TransferClientOptions>? change = null) =>
        new FtpTransferClient(endpoint, change is null ? Options() : (FtpOptions)change(Options()));

    /// <summary>A client whose FTP options are changed.</summary>
    public FtpTransferClient FtpClient(Func<FtpOptions, FtpOptions> change, string host = "localhost") =>
        new(Url(host: host), change(Options()));

    /// <summary>Environment for servers that leave the TLS versions to OpenSSL's own configuration.</summary>
    protected Dictionary<string, string> OpenSslEnvironment()
    {
        if (!Variant.OnlyTls12) return [];
        var file = Path.Combine(Folder, "openssl.cnf");
        File.WriteAllText(file, """
            openssl_conf = all
            [all]
            ssl_conf = ssl
            [ssl]
            system_default = tls
            [tls]
            MaxProtocol = TLSv1.2
            """);
        return new Dictionary<string, string> { ["OPENSSL_CONF"] = file };
    }

    private FtpOptions Options() => new() { Credential = Credential, IdleTimeout = TimeSpan.FromSeconds(20), Retry = SoonAgain };
}
