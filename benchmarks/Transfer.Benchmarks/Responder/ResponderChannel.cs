using System.Buffers;
using System.Buffers.Binary;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Benchmarks.Responder;

/// <summary>
/// The server's side of one channel (RFC 4254 section 5): windows and packet sizes as OpenSSH has them. Nothing is allocated a packet.
/// </summary>
internal sealed class ResponderChannel
{
    private const uint Id = 0;
    private const int Window = 2 << 20;
    private const int DataHeader = 9;

    private readonly SshWire _wire;
    private readonly uint _clientId;
    private readonly byte[] _head = new byte[64];
    private long _open;
    private int _received;

    private ResponderChannel(SshWire wire, uint clientId, uint window)
    {
        _wire = wire;
        _clientId = clientId;
        _open = window;
    }

    /// <summary>Confirms a CHANNEL_OPEN.</summary>
    public static ResponderChannel Opened(SshWire wire, byte[] open)
    {
        var reader = new SshReader(open.AsSpan(1));
        reader.ReadString();
        var channel = new ResponderChannel(wire, reader.ReadUInt32(), reader.ReadUInt32());
        var confirmation = new ArrayBufferWriter<byte>();
        confirmation.WriteByte(MessageNumber.ChannelOpenConfirmation);
        confirmation.WriteUInt32(channel._clientId);
        confirmation.WriteUInt32(Id);
        confirmation.WriteUInt32(Window);
        confirmation.WriteUInt32(PacketLimits.MaxSendData);
        wire.Add(confirmation.WrittenSpan);
        return channel;
    }

    public void AcceptRequest() => _wire.Add(OnClientsNumber(MessageNumber.ChannelSuccess, 0));

    /// <summary>Whether that much can be sent now, in one message.</summary>
    public bool CanSend(int count) => _open >= count && _wire.HasRoom;

    /// <summary>Sends data in two parts; <see cref="CanSend"/> was asked before.</summary>
    public void Send(ReadOnlySpan<byte> first, ReadOnlySpan<byte> rest)
    {
        var head = OnClientsNumber(MessageNumber.ChannelData, 4 + first.Length);
        BinaryPrimitives.WriteInt32BigEndian(head[5..], first.Length + rest.Length);
        first.CopyTo(head[DataHeader..]);
        _wire.Add(head, rest);
        _open -= first.Length + rest.Length;
    }

    /// <summary>Takes a message in. Its data, if it has any, counts as read.</summary>
    public ReadOnlySpan<byte> Receive(ReadOnlySpan<byte> message)
    {
        var reader = new SshReader(message[1..]);
        reader.ReadUInt32();
        switch (message[0])
        {
            case MessageNumber.ChannelData:
                var data = reader.ReadString();
                GiveBack(data.Length);
                return data;
            case MessageNumber.ChannelWindowAdjust:
                _open += reader.ReadUInt32();
                break;
        }
        return default;
    }

    private void GiveBack(int count)
    {
        _received += count;
        if (_received < Window / 2) return;
        var head = OnClientsNumber(MessageNumber.ChannelWindowAdjust, 4);
        BinaryPrimitives.WriteInt32BigEndian(head[5..], _received);
        _wire.Add(head);
        _received = 0;
    }

    private Span<byte> OnClientsNumber(byte number, int more)
    {
        _head[0] = number;
        BinaryPrimitives.WriteUInt32BigEndian(_head.AsSpan(1), _clientId);
        return _head.AsSpan(0, 5 + more);
    }
}
