using System.Buffers;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>A signature in wire form: the algorithm's name and the signature (RFC 4253 section 6.6).</summary>
internal static class SignatureBlob
{
    /// <summary>The signature, or an empty span when the blob names another algorithm or holds more.</summary>
    public static ReadOnlySpan<byte> Read(ReadOnlySpan<byte> blob, string algorithm)
    {
        var reader = new SshReader(blob);
        var name = reader.ReadText();
        var signature = reader.ReadString();
        return reader.Rest.IsEmpty && name == algorithm ? signature : [];
    }

    public static byte[] Write(string algorithm, ReadOnlySpan<byte> signature)
    {
        var writer = new ArrayBufferWriter<byte>(8 + algorithm.Length + signature.Length);
        writer.WriteString(algorithm);
        writer.WriteString(signature);
        return writer.WrittenSpan.ToArray();
    }
}
