using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Kex;

/// <summary>The exchange hash H, signed by the host key and the source of every key (RFC 4253 section 8, RFC 5656 section 4).</summary>
internal static class ExchangeHash
{
    public static byte[] Compute(KexTranscript transcript, KeyAgreement agreement, ReadOnlySpan<byte> hostKey,
        ReadOnlySpan<byte> clientValue, ReadOnlySpan<byte> serverValue, ReadOnlySpan<byte> encodedSecret)
    {
        // Of full size at once: a buffer that grows leaves copies of the secret behind.
        var size = transcript.Size + hostKey.Length + clientValue.Length + serverValue.Length + encodedSecret.Length + 64;
        var writer = new ArrayBufferWriter<byte>(size);
        writer.WriteString(transcript.ClientVersion.Span);
        writer.WriteString(transcript.ServerVersion.Span);
        writer.WriteString(transcript.ClientInit.Span);
        writer.WriteString(transcript.ServerInit.Span);
        writer.WriteString(hostKey);
        agreement.WriteValue(writer, clientValue);
        agreement.WriteValue(writer, serverValue);
        writer.Write(encodedSecret);
        var hash = CryptographicOperations.HashData(agreement.Hash, writer.WrittenSpan);
        writer.Clear();
        return hash;
    }
}
