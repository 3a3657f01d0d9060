using System.Text;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Protocol;

/// <summary>The server's VERSION (draft-ietf-secsh-filexfer-02 section 4): the protocol version and the extensions.</summary>
internal sealed record SftpVersion(uint Version, IReadOnlyDictionary<string, string> Extensions)
{
    /// <summary>The version that this client speaks.</summary>
    public const uint Ours = 3;

    private const int MaxExtensions = 256;

    /// <summary>Reads a packet with the type.</summary>
    public static SftpVersion Parse(ReadOnlySpan<byte> packet)
    {
        var reader = new SshReader(packet);
        if (reader.ReadByte() != (byte)SftpPacketType.Version)
            throw new TransferException(TransferError.Protocol, "The server did not answer INIT with VERSION.");
        var version = reader.ReadUInt32();
        if (version > Ours)
            throw new TransferException(TransferError.Protocol, $"The server chose SFTP version {version}, which was not offered.");
        if (version < Ours) throw new TransferException(TransferError.Unsupported, $"The server speaks SFTP version {version} only.");
        var extensions = new Dictionary<string, string>(StringComparer.Ordinal);
        while (!reader.Rest.IsEmpty && extensions.Count < MaxExtensions)
        {
            var name = reader.ReadText();
            extensions[name] = Encoding.Latin1.GetString(reader.ReadString());
        }
        return new(version, extensions);
    }
}
