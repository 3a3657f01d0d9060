using System.Buffers;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Packets that a server sends, lengths included.</summary>
internal static class FakeReply
{
    public static byte[] Status(uint id, SftpStatus status, string text = "") => Packet(SftpPacketType.Status, id, fields =>
    {
        fields.WriteUInt32((uint)status);
        fields.WriteString(text);
        fields.WriteString("en");
    });

    public static byte[] Handle(uint id, string handle) => Packet(SftpPacketType.Handle, id, fields => fields.WriteString(handle));

    public static byte[] Data(uint id, ReadOnlySpan<byte> data)
    {
        var copy = data.ToArray();
        return Packet(SftpPacketType.Data, id, fields => fields.WriteString(copy));
    }

    public static byte[] Attributes(uint id, Action<IBufferWriter<byte>> attributes) => Packet(SftpPacketType.Attributes, id, attributes);

    public static byte[] Packet(SftpPacketType type, uint id, Action<IBufferWriter<byte>> fields)
    {
        var body = new ArrayBufferWriter<byte>();
        fields(body);
        var packet = new ArrayBufferWriter<byte>();
        packet.WriteUInt32((uint)body.WrittenCount + 5);
        packet.WriteByte((byte)type);
        packet.WriteUInt32(id);
        packet.Write(body.WrittenSpan);
        return packet.WrittenSpan.ToArray();
    }

    public static byte[] Version(uint version, params string[] extensions)
    {
        var body = new ArrayBufferWriter<byte>();
        body.WriteByte((byte)SftpPacketType.Version);
        body.WriteUInt32(version);
        foreach (var extension in extensions)
        {
            body.WriteString(extension);
            body.WriteString("1");
        }
        var packet = new ArrayBufferWriter<byte>();
        packet.WriteString(body.WrittenSpan);
        return packet.WrittenSpan.ToArray();
    }

    /// <summary>Attributes of a file (0x8000), directory (0x4000) or link (0xA000); null leaves a field out.</summary>
    public static void WriteAttributes(IBufferWriter<byte> fields, long? size, uint? permissions, uint? modified = 1_700_000_000,
        uint group = 1000)
    {
        fields.WriteUInt32((size is null ? 0u : 1) | 2 | (permissions is null ? 0u : 4) | (modified is null ? 0u : 8));
        if (size is { } length) fields.WriteUInt64((ulong)length);
        fields.WriteUInt32(1000);
        fields.WriteUInt32(group);
        if (permissions is { } bits) fields.WriteUInt32(bits);
        if (modified is not { } time) return;
        fields.WriteUInt32(time);
        fields.WriteUInt32(time);
    }
}
