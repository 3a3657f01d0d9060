using System.Buffers.Binary;
using Transfer.Batch.Wire;

namespace Transfer.Batch.Carriers.Link.Messages;

/// <summary>The first message of each side.</summary>
/// <param name="Version">The protocol's version.</param>
/// <param name="IdleTimeout">How long this side waits for a sign of life, in milliseconds: the other side pings three times as
/// often.</param>
/// <param name="Nonce">Random bytes, <see cref="NonceLength"/> of them.</param>
/// <param name="Proof">The proof that this side knows the secret; empty where the transport has authenticated both sides.</param>
internal sealed record HelloMessage(ushort Version, uint IdleTimeout, byte[] Nonce, byte[] Proof) : ILinkMessage<HelloMessage>
{
    public const ushort CurrentVersion = 1;
    public const int NonceLength = 32;
    public const int MaxProof = 64;

    public static LinkMessageType Type => LinkMessageType.Hello;

    /// <summary>The first bytes, which no other protocol begins with.</summary>
    public static ReadOnlySpan<byte> Magic => "transfer"u8;

    public int Length => Magic.Length + 2 + 4 + NonceLength + 1 + Proof.Length;

    /// <summary>Returns a time limit in the message's unit.</summary>
    public static uint Milliseconds(TimeSpan time) => (uint)Math.Clamp(time.TotalMilliseconds, 1, uint.MaxValue);

    public void Write(Span<byte> to)
    {
        Magic.CopyTo(to);
        to = to[Magic.Length..];
        BinaryPrimitives.WriteUInt16BigEndian(to, Version);
        BinaryPrimitives.WriteUInt32BigEndian(to[2..], IdleTimeout);
        Nonce.CopyTo(to[6..]);
        to[6 + NonceLength] = (byte)Proof.Length;
        Proof.CopyTo(to[(7 + NonceLength)..]);
    }

    public static HelloMessage Parse(ReadOnlySpan<byte> payload)
    {
        if (!payload.StartsWith(Magic)) throw new TransferException(TransferError.Protocol, "The other side is no transfer command.");
        var fields = new LinkFields(payload[Magic.Length..]);
        var version = fields.UInt16();
        if (version != CurrentVersion)
        {
            throw new TransferException(TransferError.Unsupported,
                $"The other side speaks version {version} of the protocol, and this is version {CurrentVersion}.");
        }

        var message = new HelloMessage(version, fields.UInt32(), fields.Bytes(NonceLength), fields.ShortBytes(MaxProof));
        fields.End();
        return message;
    }
}
