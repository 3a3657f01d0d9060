using System.Runtime.CompilerServices;

namespace Transfer.Sftp.Crypto;

/// <summary>The multiples 0 to 15 of a point, from which any multiple is made four bits of the scalar at a time. Constant-time in the scalar.</summary>
internal sealed class EdwardsMultiples
{
    private const int Count = 16;

    private readonly EdwardsPoint[] _multiples = new EdwardsPoint[Count];

    public EdwardsMultiples(in EdwardsPoint point)
    {
        _multiples[0] = EdwardsPoint.Identity;
        for (var i = 1; i < Count; i++) _multiples[i] = _multiples[i - 1] + point;
    }

    /// <summary>The base point's (RFC 8032 section 5.1): y = 4/5, x even.</summary>
    public static EdwardsMultiples OfBasePoint { get; } = new(BasePoint());

    /// <summary>The point times a scalar of 32 bytes, little-endian.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public EdwardsPoint Times(ReadOnlySpan<byte> scalar)
    {
        var result = EdwardsPoint.Identity;
        for (var i = 31; i >= 0; i--)
        {
            result = result.Doubled().Doubled().Doubled().Doubled() + Lookup((ulong)scalar[i] >> 4);
            result = result.Doubled().Doubled().Doubled().Doubled() + Lookup((ulong)scalar[i] & 15);
        }

        return result;
    }

    /// <summary>Reads the whole table, so that the cache does not learn which entry was wanted.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private EdwardsPoint Lookup(ulong index)
    {
        var found = _multiples[0];
        for (var i = 1UL; i < Count; i++)
        {
            var isIt = ((i ^ index) - 1) >> 63;
            found = EdwardsPoint.Select(found, _multiples[i], isIt);
        }

        return found;
    }

    private static EdwardsPoint BasePoint()
    {
        Span<byte> bytes = stackalloc byte[EdwardsPoint.Size];
        bytes.Fill(0x66);
        bytes[0] = 0x58;
        EdwardsPoint.TryDecode(bytes, out var point);
        return point;
    }
}
