using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>A recipient's key pair. The key file is PKCS#8 in PEM (RFC 5958, RFC 7468), encrypted or not.</summary>
internal sealed class RecipientPrivateKey : IKeyUnwrapper, IDisposable
{
    private readonly ECDiffieHellman _key;

    private RecipientPrivateKey(ECDiffieHellman key)
    {
        _key = key;
        Public = new RecipientKey(P256Point.Of(key));
    }

    /// <summary>The public half.</summary>
    public RecipientKey Public { get; }

    public static RecipientPrivateKey New() => new(ECDiffieHellman.Create(ECCurve.NamedCurves.nistP256));

    /// <summary>Parses a key file.</summary>
    /// <param name="pem">The text of the file.</param>
    /// <param name="passphrase">The passphrase of an encrypted key.</param>
    /// <exception cref="TransferException"><see cref="TransferError.Auth"/>: the text is no such key, or the passphrase is
    /// wrong.</exception>
    public static RecipientPrivateKey FromPem(string pem, string? passphrase = null)
    {
        var key = ECDiffieHellman.Create();
        try
        {
            if (passphrase is null) key.ImportFromPem(pem);
            else key.ImportFromEncryptedPem(pem, passphrase);
            return new RecipientPrivateKey(key);
        }
        catch (Exception e) when (e is ArgumentException or CryptographicException or TransferException)
        {
            key.Dispose();
            throw new TransferException(TransferError.Auth, "It is no private key of the curve P-256 in PEM, or its passphrase is another.",
                e);
        }
    }

    /// <summary>Returns the text of a key file, encrypted if there is a passphrase.</summary>
    public string ToPem(string? passphrase = null) => passphrase is null
        ? _key.ExportPkcs8PrivateKeyPem()
        : _key.ExportEncryptedPkcs8PrivateKeyPem(passphrase,
            new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, Passphrase.Iterations));

    public JobSecret? Unwrap(KeyWrap wrap, JobId job)
    {
        if (wrap.Kind != KeyWrapKind.Recipient || wrap.Body.Length != RecipientKey.ParametersLength + KeyWrap.SealedLength) return null;
        var parameters = wrap.Body.Span[..RecipientKey.ParametersLength];
        var point = parameters[RecipientKey.IdLength..];
        if (!parameters[..RecipientKey.IdLength].SequenceEqual(Public.Id) || !P256Point.IsValid(point)) return null;
        using var ephemeral = P256Point.ToKey(point);
        var agreed = _key.DeriveRawSecretAgreement(ephemeral.PublicKey);
        var secret = wrap.Open(RecipientKey.ParametersLength, [.. agreed, .. Public.Point], job);
        CryptographicOperations.ZeroMemory(agreed);
        return secret;
    }

    public void Dispose() => _key.Dispose();
}
