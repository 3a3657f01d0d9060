using System.Text;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>A request as the scripted server reads it.</summary>
internal sealed class FakeRequest
{
    public FakeRequest(ReadOnlySpan<byte> packet)
    {
        var reader = new SshReader(packet);
        Type = (SftpPacketType)reader.ReadByte();
        Id = reader.ReadUInt32();
        if (Type == SftpPacketType.Extended) Extension = reader.ReadText();
        if (Extension is SftpExtension.Limits)
        {
            Text = Extension;
            return;
        }
        Text = NameEncoding.LosslessUtf8.GetString(reader.ReadString());
        switch (Type)
        {
            case SftpPacketType.Open:
                Flags = (SftpOpenFlags)reader.ReadUInt32();
                Attributes = SftpAttributes.Read(ref reader);
                break;
            case SftpPacketType.Read:
                (Offset, Length) = ((long)reader.ReadUInt64(), (int)reader.ReadUInt32());
                break;
            case SftpPacketType.Write:
                Offset = (long)reader.ReadUInt64();
                Data = reader.ReadString().ToArray();
                Length = Data.Length;
                break;
            case SftpPacketType.SetStat or SftpPacketType.FSetStat:
                Attributes = SftpAttributes.Read(ref reader);
                break;
            case SftpPacketType.Rename or SftpPacketType.SymLink:
                Target = NameEncoding.LosslessUtf8.GetString(reader.ReadString());
                break;
            case SftpPacketType.Extended when Extension is SftpExtension.PosixRename or SftpExtension.HardLink:
                Target = NameEncoding.LosslessUtf8.GetString(reader.ReadString());
                break;
            case SftpPacketType.Extended when Extension == SftpExtension.LSetStat:
                Attributes = SftpAttributes.Read(ref reader);
                break;
            case SftpPacketType.Extended when Extension == SftpExtension.CopyData:
                (Offset, Length) = ((long)reader.ReadUInt64(), (int)reader.ReadUInt64());
                Target = NameEncoding.LosslessUtf8.GetString(reader.ReadString());
                TargetOffset = (long)reader.ReadUInt64();
                break;
        }
    }

    public SftpPacketType Type { get; }

    public uint Id { get; }

    public string? Extension { get; }

    /// <summary>The path, or the handle as text.</summary>
    public string Text { get; }

    public string? Target { get; }

    public SftpOpenFlags Flags { get; }

    public SftpAttributes Attributes { get; }

    public long Offset { get; }

    public int Length { get; }

    public long TargetOffset { get; }

    public byte[] Data { get; } = [];

    public override string ToString()
    {
        var line = new StringBuilder(Extension ?? Type.ToString()).Append(' ').Append(Text);
        if (Target is not null) line.Append(" -> ").Append(Target);
        if (Type is SftpPacketType.Read or SftpPacketType.Write || Extension == SftpExtension.CopyData)
            line.Append(' ').Append(Offset).Append('+').Append(Length);
        return line.ToString();
    }
}
