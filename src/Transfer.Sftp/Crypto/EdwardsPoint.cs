using System.Runtime.CompilerServices;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// A point of edwards25519 in extended coordinates, x = X/Z, y = Y/Z, xy = T/Z (RFC 8032 section 5.1.4). The formulas are complete:
/// they hold for every pair of points, so that no case needs a branch.
/// </summary>
internal readonly struct EdwardsPoint(FieldElement x, FieldElement y, FieldElement z, FieldElement t)
{
    public const int Size = 32;

    public static readonly EdwardsPoint Identity = new(FieldElement.Zero, FieldElement.One, FieldElement.One, FieldElement.Zero);

    private static readonly FieldElement D = -new FieldElement(121665) * new FieldElement(121666).Inverted();
    private static readonly FieldElement TwoD = D + D;

    // 2^((p-1)/4): a square root of -1, because 2 is no square.
    private static readonly FieldElement RootOfMinusOne = new FieldElement(2).RootPower().Squared() * new FieldElement(2);

    private readonly FieldElement _x = x;
    private readonly FieldElement _y = y;
    private readonly FieldElement _z = z;
    private readonly FieldElement _t = t;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static EdwardsPoint operator +(in EdwardsPoint p, in EdwardsPoint q)
    {
        var a = (p._y - p._x) * (q._y - q._x);
        var b = (p._y + p._x) * (q._y + q._x);
        var c = p._t * TwoD * q._t;
        var d = p._z * (q._z + q._z);
        var (e, f, g, h) = (b - a, d - c, d + c, b + a);
        return new EdwardsPoint(e * f, g * h, f * g, e * h);
    }

    public static EdwardsPoint operator -(in EdwardsPoint p) => new(-p._x, p._y, p._z, -p._t);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public EdwardsPoint Doubled()
    {
        var a = _x.Squared();
        var b = _y.Squared();
        var zz = _z.Squared();
        var h = a + b;
        var e = h - (_x + _y).Squared();
        var g = a - b;
        var f = zz + zz + g;
        return new EdwardsPoint(e * f, g * h, f * g, e * h);
    }

    /// <summary>True for the eight points whose multiples are only those eight: a key among them is no key.</summary>
    public bool HasSmallOrder()
    {
        var eightfold = Doubled().Doubled().Doubled();
        return eightfold._x.EqualTo(FieldElement.Zero) && eightfold._y.EqualTo(eightfold._z);
    }

    /// <summary>Decodes 32 bytes (RFC 8032 section 5.1.3); only the one canonical encoding of a point is taken. For public data.</summary>
    public static bool TryDecode(ReadOnlySpan<byte> bytes, out EdwardsPoint point)
    {
        point = Identity;
        if (bytes.Length != Size) return false;
        var sign = bytes[31] >> 7;
        var y = new FieldElement(bytes);
        Span<byte> canonical = stackalloc byte[Size];
        y.CopyTo(canonical);
        canonical[31] |= (byte)(sign << 7);
        if (!canonical.SequenceEqual(bytes)) return false;

        var yy = y.Squared();
        var u = yy - FieldElement.One;
        var v = (D * yy) + FieldElement.One;
        var v3 = v.Squared() * v;
        var x = u * v3 * (u * v3.Squared() * v).RootPower();
        var vxx = v * x.Squared();
        if (vxx.EqualTo(-u)) x *= RootOfMinusOne;
        else if (!vxx.EqualTo(u)) return false;

        if (x.EqualTo(FieldElement.Zero) && sign == 1) return false;
        if (x.Parity != sign) x = -x;
        point = new EdwardsPoint(x, y, FieldElement.One, x * y);
        return true;
    }

    /// <summary>Writes the point in 32 bytes (RFC 8032 section 5.1.2).</summary>
    public void CopyTo(Span<byte> destination)
    {
        var inverse = _z.Inverted();
        (_y * inverse).CopyTo(destination);
        destination[31] |= (byte)((_x * inverse).Parity << 7);
    }

    /// <summary><paramref name="ifOne"/> when the choice is 1, <paramref name="ifZero"/> when it is 0, without a branch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static EdwardsPoint Select(in EdwardsPoint ifZero, in EdwardsPoint ifOne, ulong choice) => new(
        FieldElement.Select(ifZero._x, ifOne._x, choice),
        FieldElement.Select(ifZero._y, ifOne._y, choice),
        FieldElement.Select(ifZero._z, ifOne._z, choice),
        FieldElement.Select(ifZero._t, ifOne._t, choice));
}
