using System.Globalization;
using System.Numerics;
using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>One of the three curves of RFC 5656 section 10.1, all of the form y^2 = x^3 - 3x + b.</summary>
internal sealed class NistCurve
{
    public static readonly NistCurve P256 = new(
        "nistp256", ECCurve.NamedCurves.nistP256, HashAlgorithmName.SHA256, 32,
        "0FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF",
        "05AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B");

    public static readonly NistCurve P384 = new(
        "nistp384", ECCurve.NamedCurves.nistP384, HashAlgorithmName.SHA384, 48,
        "0FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFFFF0000000000000000FFFFFFFF",
        "0B3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF");

    public static readonly NistCurve P521 = new(
        "nistp521", ECCurve.NamedCurves.nistP521, HashAlgorithmName.SHA512, 66,
        "001FF" + "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
        + "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
        "0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00");

    private readonly BigInteger _p;
    private readonly BigInteger _b;

    private NistCurve(string name, ECCurve curve, HashAlgorithmName hash, int size, string p, string b)
    {
        Name = name;
        Curve = curve;
        Hash = hash;
        Size = size;
        _p = BigInteger.Parse(p, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
        _b = BigInteger.Parse(b, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
    }

    /// <summary>SSH's name, for example <c>nistp256</c>.</summary>
    public string Name { get; }

    public ECCurve Curve { get; }

    /// <summary>The hash that goes with the curve (RFC 5656 section 6.2.1).</summary>
    public HashAlgorithmName Hash { get; }

    /// <summary>The bytes of a coordinate.</summary>
    public int Size { get; }

    /// <summary>The bits of a coordinate: 521 do not fill their last byte.</summary>
    public int Bits => Math.Min(8 * Size, 521);

    /// <summary>The curve of that SSH name, or null.</summary>
    public static NistCurve? Find(string name) => name switch
    {
        "nistp256" => P256,
        "nistp384" => P384,
        "nistp521" => P521,
        _ => null,
    };

    /// <summary>The curve that the platform names by object identifier, or null.</summary>
    public static NistCurve? Find(ECCurve curve) => curve is { IsNamed: true } ? curve.Oid.Value switch
    {
        "1.2.840.10045.3.1.7" => P256,
        "1.3.132.0.34" => P384,
        "1.3.132.0.35" => P521,
        _ => null,
    } : null;

    /// <summary>
    /// Decodes an uncompressed point (SEC 1 section 2.3.4) and checks that the point is on the curve, not leaving that to the platform.
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: no such point.</exception>
    public ECPoint DecodePoint(ReadOnlySpan<byte> encoded)
    {
        if (encoded.Length != 1 + (2 * Size) || encoded[0] != 4) throw Bad();
        var point = new ECPoint { X = encoded.Slice(1, Size).ToArray(), Y = encoded[(1 + Size)..].ToArray() };
        var x = new BigInteger(point.X, isUnsigned: true, isBigEndian: true);
        var y = new BigInteger(point.Y, isUnsigned: true, isBigEndian: true);
        if (x >= _p || y >= _p || !(((y * y) - (x * x * x) + (3 * x) - _b) % _p).IsZero) throw Bad();
        return point;

        TransferException Bad() => new(TransferError.Protocol, $"A public key is not a point of {Name}.");
    }

    /// <summary>The uncompressed form of a point.</summary>
    public static byte[] EncodePoint(ECPoint point) => [4, .. point.X!, .. point.Y!];
}
