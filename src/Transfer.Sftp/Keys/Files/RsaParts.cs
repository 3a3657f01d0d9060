using System.Numerics;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys.Files;

/// <summary>An RSA key from the numbers that OpenSSH writes: n, e, d, 1/q mod p, p, q.</summary>
internal static class RsaParts
{
    public static RsaKey Read(ref SshReader reader)
    {
        var n = reader.ReadUnsignedInteger();
        var e = reader.ReadUnsignedInteger();
        var d = reader.ReadUnsignedInteger();
        var inverse = reader.ReadUnsignedInteger();
        var p = reader.ReadUnsignedInteger();
        var q = reader.ReadUnsignedInteger();

        // Once a file, off the network: BigInteger's time depends on the numbers, which helps no attacker here.
        BigInteger bigP = Number(p), bigQ = Number(q), bigD = Number(d);
        if (n.Length > RsaPublicKey.MaximumBits / 8 || bigP.IsOne || bigQ.IsOne || bigP * bigQ != Number(n))
            throw new TransferException(TransferError.Protocol, "The key is damaged.");
        _ = new RsaPublicKey(e, n);

        var half = (n.Length + 1) / 2;
        var parameters = new RSAParameters
        {
            Modulus = n.ToArray(),
            Exponent = e.ToArray(),
            D = Padded(d, n.Length),
            P = Padded(p, half),
            Q = Padded(q, half),
            DP = Padded((bigD % (bigP - 1)).ToByteArray(isUnsigned: true, isBigEndian: true), half),
            DQ = Padded((bigD % (bigQ - 1)).ToByteArray(isUnsigned: true, isBigEndian: true), half),
            InverseQ = Padded(inverse, half),
        };
        try
        {
            return new RsaKey(RSA.Create(parameters));
        }
        finally
        {
            foreach (var secret in (byte[]?[])[parameters.D, parameters.P, parameters.Q, parameters.DP, parameters.DQ, parameters.InverseQ])
                CryptographicOperations.ZeroMemory(secret);
        }
    }

    private static BigInteger Number(ReadOnlySpan<byte> magnitude) => new(magnitude, isUnsigned: true, isBigEndian: true);

    private static byte[] Padded(ReadOnlySpan<byte> magnitude, int length)
    {
        if (magnitude.Length > length) throw new TransferException(TransferError.Protocol, "The key is damaged.");
        var padded = GC.AllocateArray<byte>(length, pinned: true);
        magnitude.CopyTo(padded.AsSpan(length - magnitude.Length));
        return padded;
    }
}
