using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Ftp.Protocol;

/// <summary>Judges the certificate of one handshake and records the reason for a refusal.</summary>
internal sealed class CertificateCheck
{
    private readonly TlsSettings _settings;
    private readonly byte[]? _pinned;

    /// <param name="settings">The requirements for a control connection's certificate.</param>
    /// <param name="pinned">For data connections: SHA-256 of the control connection's certificate, the only one accepted.</param>
    public CertificateCheck(TlsSettings settings, byte[]? pinned = null)
    {
        _settings = settings;
        _pinned = pinned;
    }

    /// <summary>The versions that the handshake offers.</summary>
    public SslProtocols Offered => _settings.Enabled;

    /// <summary>Why the certificate was refused, as a clause; null: accepted.</summary>
    public string? Refusal { get; private set; }

    /// <summary>SHA-256 of the certificate as sent.</summary>
    public byte[]? Hash { get; private set; }

    /// <summary>The pin of a refused certificate's key, where pins would be taken for another judgement; null: none.</summary>
    public string? Key { get; private set; }

    /// <summary>A <see cref="RemoteCertificateValidationCallback"/>.</summary>
    public bool Validate(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        try
        {
            Refusal = certificate is null ? "the server has no certificate" : Judge(sender, certificate, chain, errors);
        }
        catch (CryptographicException e)
        {
            // Any peer can send a malformed certificate: that is a refusal as any other, and no fault of this program.
            Refusal = $"it can't be read ({e.Message.TrimEnd('.')})";
        }
        return Refusal is null;
    }

    private string? Judge(object sender, X509Certificate raw, X509Chain? chain, SslPolicyErrors errors)
    {
        Hash = SHA256.HashData(raw.GetRawCertData());
        if (_pinned is not null)
            return CryptographicOperations.FixedTimeEquals(Hash, _pinned) ? null : "it is not the certificate of the control connection";

        var certificate = raw as X509Certificate2;
        using var copy = certificate is null ? X509CertificateLoader.LoadCertificate(raw.GetRawCertData()) : null;
        certificate ??= copy!;

        if (_settings.Pins.Count > 0)
        {
            var key = PinOf(certificate);
            return _settings.Pins.Contains(key) ? null : $"its key SHA256:{key} is not a pinned one";
        }

        Key = PinOf(certificate);
        if (TlsTargetHosts.IsAddress(_settings.ServerName))
        {
            // The platform compared with a synthetic name, not with the address.
            errors &= ~SslPolicyErrors.RemoteCertificateNameMismatch;
            if (!CertificateProblem.IsFor(certificate, WithoutScope(_settings.ServerName)))
                errors |= SslPolicyErrors.RemoteCertificateNameMismatch;
        }
        if (HasTrustedPart(chain))
            errors &= ~SslPolicyErrors.RemoteCertificateChainErrors;

        if (_settings.CustomValidation is { } custom)
        {
            return custom(sender, certificate, chain, errors) ? null
                : $"the application refused it ({CertificateProblem.Describe(certificate, chain, errors, _settings.ServerName)})";
        }

        if (_settings.AcceptAnyCertificate || errors == SslPolicyErrors.None)
            return null;
        return CertificateProblem.Describe(certificate, chain, errors, _settings.ServerName);
    }

    // The platform ends a chain at a root only. An authority in between, or the server's own certificate, that is named as trusted ends the
    // chain too, as in OpenSSL's partial chains: each certificate below is signed by the next one, or the chain would have a further fault.
    private bool HasTrustedPart(X509Chain? chain) => chain is not null
        && chain.ChainStatus.All(status => status.Status is X509ChainStatusFlags.PartialChain or X509ChainStatusFlags.UntrustedRoot)
        && chain.ChainElements.Any(element => _settings.Authorities.Contains(element.Certificate));

    /// <summary>The pin of a certificate's key, in the form of <see cref="KeyPin.Normalize"/>.</summary>
    public static string PinOf(X509Certificate2 certificate) =>
        Convert.ToBase64String(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo())).TrimEnd('=');

    private static string WithoutScope(string address) => address.Split('%')[0];
}
