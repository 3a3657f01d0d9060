using System.Globalization;
using System.Text;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Testing.Sftp;

/// <summary>A parsed request (draft-ietf-secsh-filexfer-02 section 6). The data stay valid as long as the packet.</summary>
internal sealed class SftpRequest
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public required SftpPacketType Type { get; init; }

    public required uint Id { get; init; }

    /// <summary>The request's name in capitals, or the extension's.</summary>
    public required string Name { get; init; }

    /// <summary>The first path as sent; null for a request with a handle.</summary>
    public string? Path { get; private set; }

    /// <summary>The second path of RENAME, SYMLINK and hardlink@openssh.com, as sent.</summary>
    public string? SecondPath { get; private set; }

    public uint Handle { get; private set; }

    /// <summary>The handle that copy-data writes to.</summary>
    public uint SecondHandle { get; private set; }

    public ulong Offset { get; private set; }

    public ulong SecondOffset { get; private set; }

    public ulong Length { get; private set; }

    public SftpOpenFlags Flags { get; private set; }

    public SftpAttributes Attributes { get; private set; }

    public ReadOnlyMemory<byte> Data { get; private set; }

    /// <summary>Reads a packet without its length.</summary>
    /// <exception cref="TransferException">The packet ends before its last field.</exception>
    public static SftpRequest Parse(ReadOnlyMemory<byte> packet)
    {
        var reader = new SshReader(packet.Span);
        var type = (SftpPacketType)reader.ReadByte();
        var id = reader.ReadUInt32();
        var name = type == SftpPacketType.Extended ? reader.ReadText() : type.ToString().ToUpperInvariant();
        var request = new SftpRequest { Type = type, Id = id, Name = name };
        request.ReadFields(ref reader, packet);
        return request;
    }

    /// <summary>Describes the request for the log: paths, and the offset and length of content.</summary>
    public string Describe(string path) => Type switch
    {
        SftpPacketType.Read or SftpPacketType.Write => string.Create(CultureInfo.InvariantCulture, $"{path} {Offset}+{Length}"),
        _ => SecondPath is null ? path : $"{path} {SecondPath}",
    };

    private void ReadFields(ref SshReader reader, ReadOnlyMemory<byte> packet)
    {
        switch (Type)
        {
            case SftpPacketType.Open:
                Path = ReadPath(ref reader);
                Flags = (SftpOpenFlags)reader.ReadUInt32();
                Attributes = SftpAttributes.Read(ref reader);
                break;
            case SftpPacketType.MkDir or SftpPacketType.SetStat:
                Path = ReadPath(ref reader);
                Attributes = SftpAttributes.Read(ref reader);
                break;
            case SftpPacketType.Rename or SftpPacketType.SymLink:
                Path = ReadPath(ref reader);
                SecondPath = ReadPath(ref reader);
                break;
            case SftpPacketType.LStat or SftpPacketType.Stat or SftpPacketType.OpenDir or SftpPacketType.Remove
                or SftpPacketType.RmDir or SftpPacketType.RealPath or SftpPacketType.ReadLink:
                Path = ReadPath(ref reader);
                break;
            case SftpPacketType.Close or SftpPacketType.FStat or SftpPacketType.ReadDir:
                Handle = ReadHandle(ref reader);
                break;
            case SftpPacketType.FSetStat:
                Handle = ReadHandle(ref reader);
                Attributes = SftpAttributes.Read(ref reader);
                break;
            case SftpPacketType.Read:
                Handle = ReadHandle(ref reader);
                Offset = reader.ReadUInt64();
                Length = reader.ReadUInt32();
                break;
            case SftpPacketType.Write:
                Handle = ReadHandle(ref reader);
                Offset = reader.ReadUInt64();
                var length = reader.ReadString().Length;
                Length = (ulong)length;
                Data = packet.Slice(packet.Length - reader.Rest.Length - length, length);
                break;
            case SftpPacketType.Extended:
                ReadExtension(ref reader);
                break;
        }
    }

    private void ReadExtension(ref SshReader reader)
    {
        switch (Name)
        {
            case SftpExtension.PosixRename or SftpExtension.HardLink:
                Path = ReadPath(ref reader);
                SecondPath = ReadPath(ref reader);
                break;
            case SftpExtension.StatVfs:
                Path = ReadPath(ref reader);
                break;
            case SftpExtension.FSync:
                Handle = ReadHandle(ref reader);
                break;
            case SftpExtension.CopyData:
                Handle = ReadHandle(ref reader);
                Offset = reader.ReadUInt64();
                Length = reader.ReadUInt64();
                SecondHandle = ReadHandle(ref reader);
                SecondOffset = reader.ReadUInt64();
                break;
        }
    }

    private static string ReadPath(ref SshReader reader)
    {
        try
        {
            return Strict.GetString(reader.ReadString());
        }
        catch (DecoderFallbackException)
        {
            return string.Empty; // a name that no store has; answered as one that does not exist
        }
    }

    /// <summary>Reads a handle of four bytes, the form of this server's handles; other forms are unknown.</summary>
    private static uint ReadHandle(ref SshReader reader)
    {
        var handle = reader.ReadString();
        return handle.Length == 4 ? System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(handle) : uint.MaxValue;
    }
}
