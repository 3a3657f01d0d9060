using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Cli.Credentials;

/// <summary>Reads the certificates that options name, in PEM.</summary>
internal static class CertificateFiles
{
    /// <summary>The authorities to trust in place of the system's; none: the system's.</summary>
    public static IReadOnlyList<X509Certificate2> ReadAuthorities(LoginArguments arguments) =>
        arguments.AuthorityFile is { } file ? [.. Read(file, arguments.Prefix + "ca-file")] : [];

    /// <summary>The certificate to log in with, which has its key, and its chain.</summary>
    public static IReadOnlyList<X509Certificate2> ReadOwn(LoginArguments arguments)
    {
        if (arguments.CertificateFile is not { } file) return [];
        var option = arguments.Prefix + "cert";
        var all = Read(file, option);
        try
        {
            return [X509Certificate2.CreateFromPemFile(file, arguments.CertificateKeyFile), .. all.Skip(1)];
        }
        catch (Exception e) when (e is CryptographicException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            var key = arguments.CertificateKeyFile ?? file;
            throw new UsageException(
                $"{option}-key: {key} has no key that fits the certificate in {file}, in PEM and not encrypted: {e.Message}");
        }
    }

    private static X509Certificate2Collection Read(string file, string option)
    {
        var all = new X509Certificate2Collection();
        try
        {
            all.ImportFromPemFile(file);
        }
        catch (Exception e) when (e is CryptographicException or ArgumentException or IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{option}: {file} cannot be read: {e.Message}");
        }

        return all.Count > 0 ? all : throw new UsageException($"{option}: {file} holds no certificate in PEM.");
    }
}
