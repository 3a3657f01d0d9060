using System.Buffers;
using System.Buffers.Binary;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys.Agent;

/// <summary>The few messages of the agent protocol that are needed (draft-ietf-sshm-ssh-agent sections 3 to 5), without I/O.</summary>
internal static class AgentMessages
{
    /// <summary>As OpenSSH's own limit.</summary>
    public const int MaximumLength = 256 * 1024;

    private const byte RequestIdentities = 11;
    private const byte IdentitiesAnswer = 12;
    private const byte SignRequest = 13;
    private const byte SignResponse = 14;

    /// <summary>The request for all keys.</summary>
    public static byte[] ListRequest { get; } = [0, 0, 0, 1, RequestIdentities];

    /// <summary>The request for a signature. The flags choose SHA-2 for RSA keys.</summary>
    public static byte[] Sign(ReadOnlySpan<byte> blob, string algorithm, ReadOnlySpan<byte> data)
    {
        var writer = new ArrayBufferWriter<byte>(data.Length + blob.Length + 32);
        writer.WriteUInt32(0);
        writer.WriteByte(SignRequest);
        writer.WriteString(blob);
        writer.WriteString(data);
        writer.WriteUInt32(KeyAlgorithms.Plain(algorithm) switch
        {
            KeyAlgorithms.RsaSha256 => 2,
            KeyAlgorithms.RsaSha512 => 4,
            _ => 0,
        });
        var message = writer.WrittenSpan.ToArray();
        BinaryPrimitives.WriteInt32BigEndian(message, message.Length - 4);
        return message;
    }

    /// <summary>Reads the keys and comments of an answer; keys of unsupported kinds are only counted.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: the answer is malformed; <see cref="TransferError.Auth"/>: the agent refuses.
    /// </exception>
    public static IReadOnlyList<(SshPublicKey Key, string Comment)> ReadIdentities(ReadOnlySpan<byte> answer, out int skipped)
    {
        var reader = new SshReader(answer);
        if (reader.ReadByte() != IdentitiesAnswer) throw new TransferException(TransferError.Auth, "The agent does not list its keys.");
        var keys = new List<(SshPublicKey, string)>();
        skipped = 0;
        for (var count = reader.ReadUInt32(); count > 0; count--)
        {
            var blob = reader.ReadString();
            var comment = reader.ReadText();
            try
            {
                keys.Add((SshPublicKeys.Parse(blob.ToArray()), comment));
            }
            catch (TransferException error) when (error.Error is TransferError.Unsupported or TransferError.Protocol)
            {
                // Hardware keys, short RSA keys: an unusable key must not hide the usable ones.
                skipped++;
            }
        }

        return keys;
    }

    /// <summary>Reads the signature blob of an answer.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Auth"/>: the agent refuses, or signed with another algorithm; <see cref="TransferError.Protocol"/>: the
    /// answer is malformed.
    /// </exception>
    public static byte[] ReadSignature(ReadOnlySpan<byte> answer, string algorithm)
    {
        var reader = new SshReader(answer);
        if (reader.ReadByte() != SignResponse) throw new TransferException(TransferError.Auth, "The agent refuses to sign.");
        var signature = reader.ReadString();
        var plain = KeyAlgorithms.Plain(algorithm);
        return SignatureBlob.Read(signature, plain).IsEmpty
            ? throw new TransferException(TransferError.Auth, $"The agent does not sign with {plain}.")
            : signature.ToArray();
    }
}
