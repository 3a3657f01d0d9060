using System.Buffers;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>The messages that the connection protocol sends, data apart (RFC 4254 section 5).</summary>
internal static class ChannelMessages
{
    public static ArrayBufferWriter<byte> Open(string type, uint channel, uint window)
    {
        var writer = new ArrayBufferWriter<byte>(128);
        writer.WriteByte(MessageNumber.ChannelOpen);
        writer.WriteString(type);
        writer.WriteUInt32(channel);
        writer.WriteUInt32(window);
        writer.WriteUInt32(Packets.PacketLimits.MaxReceiveData);
        return writer;
    }

    /// <summary>Only the channel's number: EOF, CLOSE, SUCCESS, FAILURE.</summary>
    public static byte[] Short(byte number, uint channel)
    {
        var writer = new ArrayBufferWriter<byte>(8);
        writer.WriteByte(number);
        writer.WriteUInt32(channel);
        return writer.WrittenSpan.ToArray();
    }

    public static byte[] WindowAdjust(uint channel, uint count)
    {
        var writer = new ArrayBufferWriter<byte>(16);
        writer.WriteByte(MessageNumber.ChannelWindowAdjust);
        writer.WriteUInt32(channel);
        writer.WriteUInt32(count);
        return writer.WrittenSpan.ToArray();
    }

    /// <summary>A request with one string, answered: "subsystem" or "exec" (RFC 4254 section 6.5).</summary>
    public static byte[] Request(uint channel, string type, string argument)
    {
        var writer = new ArrayBufferWriter<byte>(64 + argument.Length);
        writer.WriteByte(MessageNumber.ChannelRequest);
        writer.WriteUInt32(channel);
        writer.WriteString(type);
        writer.WriteBoolean(true);
        writer.WriteString(argument);
        return writer.WrittenSpan.ToArray();
    }

    /// <summary>A signal for the channel's command, by the signal's name without SIG; not answered (RFC 4254 section 6.9).</summary>
    public static byte[] Signal(uint channel, string name)
    {
        var writer = new ArrayBufferWriter<byte>(64);
        writer.WriteByte(MessageNumber.ChannelRequest);
        writer.WriteUInt32(channel);
        writer.WriteString("signal"u8);
        writer.WriteBoolean(false);
        writer.WriteString(name);
        return writer.WrittenSpan.ToArray();
    }

    public static byte[] OpenFailure(uint channel)
    {
        var writer = new ArrayBufferWriter<byte>(64);
        writer.WriteByte(MessageNumber.ChannelOpenFailure);
        writer.WriteUInt32(channel);
        writer.WriteUInt32(1); // administratively prohibited
        writer.WriteString("not asked for"u8);
        writer.WriteString(""u8);
        return writer.WrittenSpan.ToArray();
    }

    /// <summary>A request for a sign of life: any answer will do (OpenSSH PROTOCOL section 2.3).</summary>
    public static byte[] KeepAlive()
    {
        var writer = new ArrayBufferWriter<byte>(64);
        writer.WriteByte(MessageNumber.GlobalRequest);
        writer.WriteString("keepalive@openssh.com"u8);
        writer.WriteBoolean(true);
        return writer.WrittenSpan.ToArray();
    }
}
