using System.Buffers;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary><c>ssh-ed25519</c> (RFC 8709).</summary>
internal sealed class Ed25519PublicKey : SshPublicKey
{
    private static readonly string[] Algorithms = [KeyAlgorithms.Ed25519];

    private readonly byte[] _key;

    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: these 32 bytes are no public key.</exception>
    public Ed25519PublicKey(ReadOnlySpan<byte> key)
    {
        if (!Ed25519.IsPublicKey(key)) throw new TransferException(TransferError.Protocol, "An Ed25519 public key is not valid.");
        _key = key.ToArray();
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString(KeyAlgorithms.Ed25519);
        writer.WriteString(key);
        Blob = writer.WrittenMemory;
    }

    public override string Type => KeyAlgorithms.Ed25519;

    public override ReadOnlyMemory<byte> Blob { get; }

    public override int Bits => 8 * Ed25519.PublicKeySize;

    public override IReadOnlyList<string> SignatureAlgorithms => Algorithms;

    public override bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature) =>
        algorithm == KeyAlgorithms.Ed25519 && Ed25519.Verify(_key, data, SignatureBlob.Read(signature, algorithm));
}
