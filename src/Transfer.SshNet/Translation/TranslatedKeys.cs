using System.Formats.Asn1;
using System.Numerics;
using System.Security.Cryptography;
using Renci.SshNet;
using Renci.SshNet.Security;
using Transfer.Sftp;

namespace Transfer.SshNet.Translation;

/// <summary>Private keys that SSH.NET has read, as identities: by way of PKCS #8 (RFC 5958), in memory only.</summary>
internal static class TranslatedKeys
{
    private const string Ed25519Oid = "1.3.101.112";
    private const string Label = "PRIVATE KEY";

    /// <summary>Returns the identity of a key.</summary>
    /// <param name="source">The key that the application gave to SSH.NET.</param>
    /// <param name="name">The key's name in messages: <c>AuthenticationMethods[0]</c>.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="NotSupportedException">The key's private part is not accessible, or the key has a certificate.</exception>
    public static async ValueTask<SshIdentity> ToIdentityAsync(IPrivateKeySource source, string name, CancellationToken ct)
    {
        if (source is not PrivateKeyFile { Key: { } key } file)
            throw new NotSupportedException($"{name}: the private key of a {source.GetType().Name} cannot be had. Give Identities.");
        if (file.Certificate is not null)
            throw new NotSupportedException($"{name}: a key with a certificate is read from files only. Give Identities.");
        var encoded = key switch
        {
            RsaKey rsa => Encode(rsa),
            EcdsaKey ecdsa => ecdsa.Ecdsa.ExportPkcs8PrivateKey(),
            ED25519Key ed25519 => Encode(ed25519),
            _ => throw new NotSupportedException($"{name}: keys of the type {key} are not supported."),
        };
        try
        {
            return await SshIdentity.FromTextAsync(PemEncoding.WriteString(Label, encoded), passphrase: null, ct).ConfigureAwait(false);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(encoded);
        }
    }

    private static byte[] Encode(RsaKey key)
    {
        var size = Bytes(key.Modulus).Length;
        var half = (size + 1) / 2;
        using var rsa = RSA.Create(new RSAParameters
        {
            Modulus = Bytes(key.Modulus),
            Exponent = Bytes(key.Exponent),
            D = Bytes(key.D, size),
            P = Bytes(key.P, half),
            Q = Bytes(key.Q, half),
            DP = Bytes(key.DP, half),
            DQ = Bytes(key.DQ, half),
            InverseQ = Bytes(key.InverseQ, half),
        });
        return rsa.ExportPkcs8PrivateKey();
    }

    // RFC 8410 section 7: the 32 bytes of the seed in an octet string of their own.
    private static byte[] Encode(ED25519Key key)
    {
        var writer = new AsnWriter(AsnEncodingRules.DER);
        using (writer.PushSequence())
        {
            writer.WriteInteger(0);
            using (writer.PushSequence()) writer.WriteObjectIdentifier(Ed25519Oid);
            using (writer.PushOctetString()) writer.WriteOctetString(key.PrivateKey.AsSpan(0, 32));
        }
        return writer.Encode();
    }

    private static byte[] Bytes(BigInteger number, int length = 0)
    {
        var bytes = number.ToByteArray(isUnsigned: true, isBigEndian: true);
        return bytes.Length >= length ? bytes : [.. new byte[length - bytes.Length], .. bytes];
    }
}
