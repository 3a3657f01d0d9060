using System.Buffers;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Packets;

/// <summary>SSH_MSG_EXT_INFO (RFC 8308 section 2.3): a side's abilities beyond the base protocol.</summary>
internal static class ExtensionInfo
{
    private const string ServerSignatureAlgorithms = "server-sig-algs";

    /// <summary>
    /// The client's message: the server may send signature algorithms again once the user is known (OpenSSH PROTOCOL section 1.11).
    /// </summary>
    public static ReadOnlySpan<byte> Ours => OurMessage;

    private static readonly byte[] OurMessage = Build();

    /// <summary>
    /// The signature algorithms that the server takes from users (RFC 8308 section 3.1), or null when the message has none.
    /// </summary>
    public static IReadOnlyList<string>? ReadSignatureAlgorithms(ReadOnlySpan<byte> payload)
    {
        var reader = new SshReader(payload[1..]);
        IReadOnlyList<string>? found = null;
        for (var count = reader.ReadUInt32(); count > 0; count--)
        {
            var name = reader.ReadText();
            var value = reader.ReadString();
            if (name == ServerSignatureAlgorithms) found = System.Text.Encoding.ASCII.GetString(value).Split(',');
        }

        return found;
    }

    private static byte[] Build()
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteByte(MessageNumber.ExtensionInfo);
        writer.WriteUInt32(1);
        writer.WriteString("ext-info-in-auth@openssh.com"u8);
        writer.WriteString("0"u8);
        return writer.WrittenSpan.ToArray();
    }
}
