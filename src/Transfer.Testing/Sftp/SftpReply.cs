using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Testing.Sftp;

/// <summary>The reply being written: one packet after its length. Reused for every request.</summary>
internal sealed class SftpReply
{
    private const int LengthSize = 4;
    private const int DataHead = LengthSize + 1 + 4 + 4;

    private readonly ArrayBufferWriter<byte> _writer = new(1024);

    /// <summary>The whole packet.</summary>
    public ReadOnlyMemory<byte> Packet
    {
        get
        {
            PatchLength(0, _writer.WrittenCount - LengthSize);
            return _writer.WrittenMemory;
        }
    }

    /// <summary>Begins a packet; the caller writes the fields.</summary>
    public IBufferWriter<byte> Begin(SftpPacketType type)
    {
        _writer.ResetWrittenCount();
        _writer.WriteUInt32(0);
        _writer.WriteByte((byte)type);
        return _writer;
    }

    /// <summary>Begins a reply with the request's number.</summary>
    public IBufferWriter<byte> Begin(SftpPacketType type, uint id)
    {
        Begin(type);
        _writer.WriteUInt32(id);
        return _writer;
    }

    public void Status(uint id, SftpTestStatus status, string text = "")
    {
        Begin(SftpPacketType.Status, id);
        _writer.WriteUInt32((uint)status);
        _writer.WriteString(text.Length > 0 ? text : status.ToString());
        _writer.WriteString("en"u8);
    }

    public void Handle(uint id, uint handle)
    {
        Begin(SftpPacketType.Handle, id);
        _writer.WriteUInt32(4);
        _writer.WriteUInt32(handle);
    }

    /// <summary>Begins a DATA reply; the caller fills a part of the memory and passes the length to <see cref="EndData"/>.</summary>
    public Memory<byte> BeginData(uint id, int most)
    {
        Begin(SftpPacketType.Data, id);
        _writer.WriteUInt32(0);
        return _writer.GetMemory(Math.Max(most, 1))[..most];
    }

    public void EndData(int count)
    {
        _writer.Advance(count);
        PatchLength(DataHead - LengthSize, count);
    }

    private void PatchLength(int at, int length) =>
        BinaryPrimitives.WriteInt32BigEndian(MemoryMarshal.AsMemory(_writer.WrittenMemory).Span[at..], length);
}
