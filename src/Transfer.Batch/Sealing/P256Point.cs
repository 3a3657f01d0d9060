using System.Numerics;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>Public keys of the curve P-256 in the uncompressed form (SEC 1, 2.3.3).</summary>
internal static class P256Point
{
    public const int Length = 1 + 2 * Coordinate;

    private const int Coordinate = 32;
    private const byte Uncompressed = 4;

    // FIPS 186-4, D.1.2.3; a is -3.
    private static readonly BigInteger P =
        (BigInteger.One << 256) - (BigInteger.One << 224) + (BigInteger.One << 192) + (BigInteger.One << 96) - 1;
    private static readonly BigInteger B = BigInteger.Parse("05ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
        System.Globalization.NumberStyles.HexNumber, null);

    /// <summary>Whether a point is on the curve. Agreement with a false point would give away the private key, on a platform that does not
    /// check.</summary>
    public static bool IsValid(ReadOnlySpan<byte> point)
    {
        if (point.Length != Length || point[0] != Uncompressed) return false;
        var x = new BigInteger(point.Slice(1, Coordinate), isUnsigned: true, isBigEndian: true);
        var y = new BigInteger(point[(1 + Coordinate)..], isUnsigned: true, isBigEndian: true);
        return x < P && y < P && (y * y - (x * x * x - 3 * x + B)) % P == 0;
    }

    public static byte[] Of(ECDiffieHellman key) => Of(key.ExportParameters(includePrivateParameters: false).Q);

    public static ECDiffieHellman ToKey(ReadOnlySpan<byte> point) => ECDiffieHellman.Create(new ECParameters
    {
        Curve = ECCurve.NamedCurves.nistP256,
        Q = new ECPoint { X = point.Slice(1, Coordinate).ToArray(), Y = point[(1 + Coordinate)..].ToArray() },
    });

    private static byte[] Of(ECPoint point) => [Uncompressed, .. point.X!, .. point.Y!];
}
