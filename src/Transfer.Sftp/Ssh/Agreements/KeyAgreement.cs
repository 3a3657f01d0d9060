using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>One side's ephemeral half of a key exchange.</summary>
internal abstract class KeyAgreement : IDisposable
{
    /// <summary>The method's hash, for the exchange hash and for deriving keys.</summary>
    public abstract HashAlgorithmName Hash { get; }

    /// <summary>The public value for the peer.</summary>
    public abstract ReadOnlyMemory<byte> PublicValue { get; }

    /// <summary>
    /// Returns the shared secret in the encoding for the exchange hash and the derivation of keys; the caller zeroes the secret.
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the peer's value is not one of the method's.</exception>
    public byte[] Agree(ReadOnlySpan<byte> peerValue)
    {
        var secret = AgreeOn(peerValue);

        // Of full size at once: a buffer that grows leaves copies of the secret behind.
        var writer = new ArrayBufferWriter<byte>(secret.Length + 8);
        WriteSecret(writer, secret);
        CryptographicOperations.ZeroMemory(secret);
        var encoded = writer.WrittenSpan.ToArray();
        writer.Clear();
        return encoded;
    }

    /// <summary>Reads a public value in the encoding of the method's messages.</summary>
    public virtual ReadOnlySpan<byte> ReadValue(ref SshReader message) => message.ReadString();

    /// <summary>Writes a public value in the encoding of the method's messages and exchange hash.</summary>
    public virtual void WriteValue(IBufferWriter<byte> writer, ReadOnlySpan<byte> value) => writer.WriteString(value);

    public abstract void Dispose();

    /// <summary>Returns the method's own secret, which the caller zeroes.</summary>
    protected abstract byte[] AgreeOn(ReadOnlySpan<byte> peerValue);

    /// <summary>Encodes the secret; for most methods a big-endian number, an mpint (RFC 4253 section 8).</summary>
    protected virtual void WriteSecret(IBufferWriter<byte> writer, ReadOnlySpan<byte> secret) => writer.WriteUnsignedInteger(secret);
}
