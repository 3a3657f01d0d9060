using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// A number modulo p = 2^255 - 19, the field of X25519 and Ed25519 (RFC 7748 section 4.1), in five limbs of 51 bits.
/// Nothing here branches or indexes by a value. Limbs may exceed 51 bits: operators take limbs below 2^54, which is what a sum of
/// four results of <c>*</c> or <c>-</c> has; only <see cref="CopyTo"/> reduces fully.
/// </summary>
internal readonly struct FieldElement
{
    public const int Size = 32;

    private const int LimbBits = 51;
    private const ulong LimbMask = (1UL << LimbBits) - 1;

    public static readonly FieldElement Zero;
    public static readonly FieldElement One = new(1);

    private readonly ulong _l0;
    private readonly ulong _l1;
    private readonly ulong _l2;
    private readonly ulong _l3;
    private readonly ulong _l4;

    public FieldElement(uint value)
        : this(value, 0, 0, 0, 0)
    {
    }

    /// <summary>Reads 32 bytes, little-endian; the highest bit is ignored (RFC 7748 section 5), values from p up are taken modulo p.</summary>
    public FieldElement(ReadOnlySpan<byte> bytes)
    {
        var w0 = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        var w1 = BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]);
        var w2 = BinaryPrimitives.ReadUInt64LittleEndian(bytes[16..]);
        var w3 = BinaryPrimitives.ReadUInt64LittleEndian(bytes[24..]);
        _l0 = w0 & LimbMask;
        _l1 = ((w0 >> 51) | (w1 << 13)) & LimbMask;
        _l2 = ((w1 >> 38) | (w2 << 26)) & LimbMask;
        _l3 = ((w2 >> 25) | (w3 << 39)) & LimbMask;
        _l4 = (w3 >> 12) & LimbMask;
    }

    private FieldElement(ulong l0, ulong l1, ulong l2, ulong l3, ulong l4)
    {
        _l0 = l0;
        _l1 = l1;
        _l2 = l2;
        _l3 = l3;
        _l4 = l4;
    }

    /// <summary>The lowest bit of the reduced value: what RFC 8032 calls the sign.</summary>
    public int Parity
    {
        get
        {
            Span<byte> bytes = stackalloc byte[Size];
            CopyTo(bytes);
            return bytes[0] & 1;
        }
    }

    public static FieldElement operator +(in FieldElement a, in FieldElement b) =>
        new(a._l0 + b._l0, a._l1 + b._l1, a._l2 + b._l2, a._l3 + b._l3, a._l4 + b._l4);

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static FieldElement operator -(in FieldElement a, in FieldElement b)
    {
        // 16p keeps every limb positive.
        const ulong Lowest = 16 * (LimbMask - 18);
        const ulong Others = 16 * LimbMask;
        return new FieldElement(
            a._l0 + Lowest - b._l0, a._l1 + Others - b._l1, a._l2 + Others - b._l2, a._l3 + Others - b._l3, a._l4 + Others - b._l4).Carried();
    }

    public static FieldElement operator -(in FieldElement a) => Zero - a;

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static FieldElement operator *(in FieldElement a, in FieldElement b)
    {
        // 2^255 = 19 (mod p): what overflows the fifth limb comes back nineteenfold.
        ulong b1 = 19 * b._l1, b2 = 19 * b._l2, b3 = 19 * b._l3, b4 = 19 * b._l4;
        var r0 = Product(a._l0, b._l0) + Product(a._l1, b4) + Product(a._l2, b3) + Product(a._l3, b2) + Product(a._l4, b1);
        var r1 = Product(a._l0, b._l1) + Product(a._l1, b._l0) + Product(a._l2, b4) + Product(a._l3, b3) + Product(a._l4, b2);
        var r2 = Product(a._l0, b._l2) + Product(a._l1, b._l1) + Product(a._l2, b._l0) + Product(a._l3, b4) + Product(a._l4, b3);
        var r3 = Product(a._l0, b._l3) + Product(a._l1, b._l2) + Product(a._l2, b._l1) + Product(a._l3, b._l0) + Product(a._l4, b4);
        var r4 = Product(a._l0, b._l4) + Product(a._l1, b._l3) + Product(a._l2, b._l2) + Product(a._l3, b._l1) + Product(a._l4, b._l0);
        r1 += (ulong)(r0 >> LimbBits);
        r2 += (ulong)(r1 >> LimbBits);
        r3 += (ulong)(r2 >> LimbBits);
        r4 += (ulong)(r3 >> LimbBits);
        var l0 = ((ulong)r0 & LimbMask) + (19 * (ulong)(r4 >> LimbBits));
        var l1 = ((ulong)r1 & LimbMask) + (l0 >> LimbBits);
        return new FieldElement(l0 & LimbMask, l1, (ulong)r2 & LimbMask, (ulong)r3 & LimbMask, (ulong)r4 & LimbMask);
    }

    /// <summary>The square, taken <paramref name="times"/> times.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public FieldElement Squared(int times = 1)
    {
        var result = this;
        for (var i = 0; i < times; i++) result *= result;
        return result;
    }

    /// <summary>1/x as x^(p-2); 0 for 0.</summary>
    public FieldElement Inverted()
    {
        var (ones250, eleven) = Powers();
        return ones250.Squared(5) * eleven;
    }

    /// <summary>x^((p-5)/8), from which square roots come (RFC 8032 section 5.1.3).</summary>
    public FieldElement RootPower()
    {
        var (ones250, _) = Powers();
        return ones250.Squared(2) * this;
    }

    /// <summary>Writes the value, fully reduced, in 32 bytes, little-endian.</summary>
    public void CopyTo(Span<byte> destination)
    {
        var x = Carried().Carried();

        // The value is below 2p now: the quotient by p is the carry out of value + 19.
        var quotient = (x._l0 + 19) >> LimbBits;
        quotient = (x._l1 + quotient) >> LimbBits;
        quotient = (x._l2 + quotient) >> LimbBits;
        quotient = (x._l3 + quotient) >> LimbBits;
        quotient = (x._l4 + quotient) >> LimbBits;

        var l0 = x._l0 + (19 * quotient);
        var l1 = x._l1 + (l0 >> LimbBits);
        var l2 = x._l2 + (l1 >> LimbBits);
        var l3 = x._l3 + (l2 >> LimbBits);
        var l4 = x._l4 + (l3 >> LimbBits);
        l0 &= LimbMask;
        l1 &= LimbMask;
        l2 &= LimbMask;
        l3 &= LimbMask;
        l4 &= LimbMask;
        BinaryPrimitives.WriteUInt64LittleEndian(destination, l0 | (l1 << 51));
        BinaryPrimitives.WriteUInt64LittleEndian(destination[8..], (l1 >> 13) | (l2 << 38));
        BinaryPrimitives.WriteUInt64LittleEndian(destination[16..], (l2 >> 26) | (l3 << 25));
        BinaryPrimitives.WriteUInt64LittleEndian(destination[24..], (l3 >> 39) | (l4 << 12));
    }

    /// <summary>True when both are the same number modulo p.</summary>
    public bool EqualTo(in FieldElement other)
    {
        Span<byte> mine = stackalloc byte[Size];
        Span<byte> others = stackalloc byte[Size];
        CopyTo(mine);
        other.CopyTo(others);
        return CryptographicOperations.FixedTimeEquals(mine, others);
    }

    /// <summary><paramref name="ifOne"/> when the choice is 1, <paramref name="ifZero"/> when it is 0, without a branch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static FieldElement Select(in FieldElement ifZero, in FieldElement ifOne, ulong choice)
    {
        var mask = 0 - choice;
        return new FieldElement(
            ifZero._l0 ^ (mask & (ifZero._l0 ^ ifOne._l0)),
            ifZero._l1 ^ (mask & (ifZero._l1 ^ ifOne._l1)),
            ifZero._l2 ^ (mask & (ifZero._l2 ^ ifOne._l2)),
            ifZero._l3 ^ (mask & (ifZero._l3 ^ ifOne._l3)),
            ifZero._l4 ^ (mask & (ifZero._l4 ^ ifOne._l4)));
    }

    /// <summary>x^(2^250 - 1) and x^11: the common part of both powers.</summary>
    private (FieldElement Ones250, FieldElement Eleven) Powers()
    {
        var two = Squared();
        var nine = two.Squared(2) * this;
        var eleven = nine * two;
        var ones5 = eleven.Squared() * nine;
        var ones10 = ones5.Squared(5) * ones5;
        var ones20 = ones10.Squared(10) * ones10;
        var ones40 = ones20.Squared(20) * ones20;
        var ones50 = ones40.Squared(10) * ones10;
        var ones100 = ones50.Squared(50) * ones50;
        var ones200 = ones100.Squared(100) * ones100;
        return (ones200.Squared(50) * ones50, eleven);
    }

    private FieldElement Carried() => new(
        (_l0 & LimbMask) + (19 * (_l4 >> LimbBits)),
        (_l1 & LimbMask) + (_l0 >> LimbBits),
        (_l2 & LimbMask) + (_l1 >> LimbBits),
        (_l3 & LimbMask) + (_l2 >> LimbBits),
        (_l4 & LimbMask) + (_l3 >> LimbBits));

    private static UInt128 Product(ulong a, ulong b) => Math.BigMul(a, b);
}
