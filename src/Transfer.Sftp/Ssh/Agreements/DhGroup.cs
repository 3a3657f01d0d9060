using System.Globalization;
using System.Numerics;
using System.Security.Cryptography;

namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>A safe-prime group with the generator 2 (RFC 3526 sections 3 and 5).</summary>
internal sealed class DhGroup
{
    public static readonly DhGroup Group14 = new(
        "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD" +
        "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED" +
        "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F" +
        "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B" +
        "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510" +
        "15728E5A8AACAA68FFFFFFFFFFFFFFFF");

    public static readonly DhGroup Group16 = new(
        "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD" +
        "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED" +
        "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F" +
        "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B" +
        "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510" +
        "15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7" +
        "ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C" +
        "BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A92108011A723C12A787E6D7" +
        "88719A10BDBA5B2699C327186AF4E23C1A946834B6150BDA2583E9CA2AD44CE8DBBBC2DB04DE8EF92E8EFC141FBECAA6" +
        "287C59474E6BC05D99B2964FA090C3A2233BA186515BE7ED1F612970CEE2D7AFB81BDD762170481CD0069127D5B05AA9" +
        "93B4EA988D8FDDC186FFB7DC90A6C08F4DF435C934063199FFFFFFFFFFFFFFFF");

    // Twice the strength of the strongest key that is derived.
    private const int ExponentSize = 64;

    private DhGroup(string prime)
    {
        Prime = BigInteger.Parse("0" + prime, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
    }

    public BigInteger Prime { get; }

    /// <summary>A fresh private exponent for one agreement only: ModPow is not constant-time.</summary>
    public static BigInteger CreateExponent()
    {
        Span<byte> bytes = stackalloc byte[ExponentSize];
        RandomNumberGenerator.Fill(bytes);
        bytes[^1] |= 0x80; // never short
        var exponent = new BigInteger(bytes, isUnsigned: true);
        CryptographicOperations.ZeroMemory(bytes);
        return exponent;
    }

    public byte[] Power(BigInteger value, BigInteger exponent) =>
        BigInteger.ModPow(value, exponent, Prime).ToByteArray(isUnsigned: true, isBigEndian: true);

    /// <summary>Decodes the peer's public value; 0, 1, p-1 and larger values are refused (RFC 8268 section 4).</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: out of range.</exception>
    public BigInteger DecodePublic(ReadOnlySpan<byte> magnitude)
    {
        var value = new BigInteger(magnitude, isUnsigned: true, isBigEndian: true);
        if (value <= BigInteger.One || value >= Prime - BigInteger.One)
            throw new TransferException(TransferError.Protocol, "The peer's Diffie-Hellman value is out of range.");
        return value;
    }
}
