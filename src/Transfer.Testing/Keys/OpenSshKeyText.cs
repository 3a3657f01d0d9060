using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Testing.Keys;

/// <summary>Writes Ed25519 keys in OpenSSH's format, not encrypted (PROTOCOL.key in OpenSSH's source).</summary>
internal static class OpenSshKeyText
{
    private const int Block = 8;
    private const int Ed25519Size = 32;

    public static string Write(ReadOnlySpan<byte> seed, SshPublicKey publicKey)
    {
        var blob = publicKey.Blob.Span;
        var half = blob[^Ed25519Size..];
        var keys = new ArrayBufferWriter<byte>(256);
        keys.WriteUInt32(0); // a number, twice, which tells a right passphrase
        keys.WriteUInt32(0);
        keys.WriteString(publicKey.Type);
        keys.WriteString(half);
        keys.WriteString([.. seed, .. half]);
        keys.WriteString(""u8); // comment
        for (byte padding = 1; keys.WrittenCount % Block != 0; padding++) keys.WriteByte(padding);

        var file = new ArrayBufferWriter<byte>(512);
        file.Write("openssh-key-v1\0"u8);
        file.WriteString("none"u8); // cipher
        file.WriteString("none"u8); // key derivation
        file.WriteString(""u8); // its options
        file.WriteUInt32(1);
        file.WriteString(blob);
        file.WriteString(keys.WrittenSpan);
        return PemEncoding.WriteString("OPENSSH PRIVATE KEY", file.WrittenSpan) + "\n";
    }
}
