using System.Buffers;
using System.Security.Cryptography;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>One side's ephemeral half of a key exchange. Both sides of every method here do the same, so it serves client and server.</summary>
internal abstract class KeyAgreement : IDisposable
{
    /// <summary>The method's hash, for the exchange hash and for deriving keys.</summary>
    public abstract HashAlgorithmName Hash { get; }

    /// <summary>What is sent to the peer.</summary>
    public abstract ReadOnlyMemory<byte> PublicValue { get; }

    /// <summary>The shared secret as a big-endian magnitude; the caller zeroes it.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the peer's value is not one of the method's.</exception>
    public abstract byte[] Agree(ReadOnlySpan<byte> peerValue);

    /// <summary>Reads a public value as the method's messages hold it.</summary>
    public virtual ReadOnlySpan<byte> ReadValue(ref SshReader message) => message.ReadString();

    /// <summary>Writes a public value as the method's messages and its exchange hash hold it.</summary>
    public virtual void WriteValue(IBufferWriter<byte> writer, ReadOnlySpan<byte> value) => writer.WriteString(value);

    public abstract void Dispose();
}
