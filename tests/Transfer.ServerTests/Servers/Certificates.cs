using System.Net;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// Certificates made for this run. The authority is made known to the platform through SSL_CERT_FILE, which .NET reads when it
/// first needs the system's roots, and which the command inherits: so the default check is what the tests run under.
/// </summary>
internal static class Certificates
{
    private static readonly DateTimeOffset Start = DateTimeOffset.UtcNow.AddDays(-30);
    private static readonly X509Certificate2 Authority = CreateAuthority("Transfer test authority");
    private static readonly X509Certificate2 ForeignAuthority = CreateAuthority("Nobody's authority");

    public static void TrustAuthority(string folder)
    {
        var file = Path.Combine(folder, "authority.pem");
        File.WriteAllText(file, Authority.ExportCertificatePem());
        SetVariable("SSL_CERT_FILE", file);
        SetVariable("SSL_CERT_DIR", folder);
    }

    /// <summary>Writes a new certificate with its key as PEM files: the two apart, and both in one.</summary>
    public static CertificateFiles Write(ServerCertificate kind, IPAddress address, string folder)
    {
        using var key = RSA.Create(2048);
        using var certificate = Issue(kind, address, key);
        var files = new CertificateFiles(Path.Combine(folder, "cert.pem"), Path.Combine(folder, "key.pem"),
            Path.Combine(folder, "both.pem"));
        File.WriteAllText(files.Certificate, certificate.ExportCertificatePem() + "\n");
        File.WriteAllText(files.Key, key.ExportPkcs8PrivateKeyPem() + "\n");
        File.WriteAllText(files.Both, $"{key.ExportPkcs8PrivateKeyPem()}\n{certificate.ExportCertificatePem()}\n");
        // ProFTPD refuses keys that others can read.
        foreach (var file in new[] { files.Key, files.Both }) File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        return files;
    }

    private static X509Certificate2 Issue(ServerCertificate kind, IPAddress address, RSA key)
    {
        var host = kind == ServerCertificate.OtherName ? "elsewhere.example" : "localhost";
        var request = new CertificateRequest($"CN={host}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(host);
        if (kind != ServerCertificate.OtherName) names.AddIpAddress(address);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], critical: false));
        var end = kind == ServerCertificate.Expired ? DateTimeOffset.UtcNow.AddDays(-1) : DateTimeOffset.UtcNow.AddDays(30);
        if (kind == ServerCertificate.SelfSigned) return request.CreateSelfSigned(Start, end);

        var issuer = kind == ServerCertificate.Foreign ? ForeignAuthority : Authority;
        return request.Create(issuer, Start, end, RandomNumberGenerator.GetBytes(12));
    }

    private static X509Certificate2 CreateAuthority(string name)
    {
        var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, critical: true));
        return request.CreateSelfSigned(Start, DateTimeOffset.UtcNow.AddDays(60));
    }

    // .NET's own copy of the environment is what children get; OpenSSL reads the process's.
    private static void SetVariable(string name, string value)
    {
        Environment.SetEnvironmentVariable(name, value);
        if (setenv(Encoding.UTF8.GetBytes(name + '\0'), Encoding.UTF8.GetBytes(value + '\0'), overwrite: 1) != 0)
            throw new InvalidOperationException($"{name} could not be set.");
    }

    [DllImport("libc", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int setenv(byte[] name, byte[] value, int overwrite);
}
