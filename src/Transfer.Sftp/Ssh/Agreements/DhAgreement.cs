using System.Buffers;
using System.Numerics;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>Diffie-Hellman over a fixed group (RFC 4253 section 8, RFC 8268).</summary>
internal sealed class DhAgreement : KeyAgreement
{
    private static readonly BigInteger Generator = new(2);

    private readonly DhGroup _group;
    private BigInteger _exponent = DhGroup.CreateExponent();

    public DhAgreement(DhGroup group, HashAlgorithmName hash)
    {
        _group = group;
        Hash = hash;
        PublicValue = group.Power(Generator, _exponent);
    }

    public override HashAlgorithmName Hash { get; }

    public override ReadOnlyMemory<byte> PublicValue { get; }

    public override ReadOnlySpan<byte> ReadValue(ref SshReader message) => message.ReadUnsignedInteger();

    public override void WriteValue(IBufferWriter<byte> writer, ReadOnlySpan<byte> value) => writer.WriteUnsignedInteger(value);

    public override void Dispose() => _exponent = BigInteger.Zero;

    protected override byte[] AgreeOn(ReadOnlySpan<byte> peerValue) => _group.Power(_group.DecodePublic(peerValue), _exponent);
}
