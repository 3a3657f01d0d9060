using System.Buffers.Binary;
using System.Numerics;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// The binary digits of pi's fraction: Blowfish's initial state. Computed: a table of 1,042 numbers could not be checked by reading.
/// </summary>
internal static class PiDigits
{
    /// <summary>The first words of the fraction, highest bits first: 0x243F6A88, 0x85A308D3, …</summary>
    public static uint[] Words(int count)
    {
        const int GuardBits = 64;
        var bits = (32 * count) + GuardBits;

        // Machin: pi = 16 arctan(1/5) - 4 arctan(1/239).
        var pi = (16 * InverseTangent(5, bits)) - (4 * InverseTangent(239, bits));
        var fraction = (pi - (new BigInteger(3) << bits)) >> GuardBits;
        var bytes = fraction.ToByteArray(isUnsigned: true, isBigEndian: true);
        var words = new uint[count];
        for (var i = 0; i < count; i++) words[i] = BinaryPrimitives.ReadUInt32BigEndian(bytes.AsSpan(4 * i));
        return words;
    }

    /// <summary>arctan(1/x) in fixed point.</summary>
    private static BigInteger InverseTangent(int x, int bits)
    {
        var power = (BigInteger.One << bits) / x;
        var sum = power;
        for (var n = 3; !power.IsZero; n += 2)
        {
            power /= -(x * x);
            sum += power / n;
        }

        return sum;
    }
}
