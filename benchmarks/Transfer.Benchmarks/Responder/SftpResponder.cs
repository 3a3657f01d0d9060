using System.Buffers.Binary;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Responder;

/// <summary>
/// An SFTP server that holds nothing: every READ is answered with as many bytes as were asked for, every WRITE with OK. Its limits are
/// OpenSSH's.
/// Requests are answered in order, one packet's worth at a time, and nothing is allocated for them.
/// </summary>
internal sealed class SftpResponder(SshWire wire, ResponderChannel channel)
{
    private const int MostReply = 64;
    private const int DataHeader = 13;
    private const int MostLength = 255 * 1024;

    private readonly SftpRequestReader _requests = new();
    private readonly Queue<AskedRequest> _asked = new();
    private readonly byte[] _reply = new byte[MostReply];
    private readonly byte[] _content = new byte[PacketLimits.MaxSendData];
    private int _dataLeft;

    public async Task RunAsync()
    {
        do
        {
            while (wire.TryReceive(out var message)) Receive(message.Span);
            bool more;
            do
            {
                more = Answer();
                await wire.FlushAsync();
            }
            while (more);
        }
        while (await wire.FillAsync());
    }

    private void Receive(ReadOnlySpan<byte> message)
    {
        var data = channel.Receive(message);
        while (_requests.TryRead(ref data, out var request)) _asked.Enqueue(request);
    }

    // True: something was written.
    private bool Answer()
    {
        var wrote = false;
        while (_dataLeft > 0 || _asked.Count > 0)
        {
            var wanted = Math.Min(_dataLeft > 0 ? _dataLeft : MostReply, PacketLimits.MaxSendData);
            if (!channel.CanSend(wanted)) break;
            if (_dataLeft > 0) SendData(_reply.AsSpan(0, 0), wanted);
            else Answer(_asked.Dequeue());
            wrote = true;
        }
        return wrote;
    }

    private void Answer(AskedRequest request)
    {
        switch (request.Type)
        {
            case SftpPacketType.Init:
                Send(SftpPacketType.Version, SftpVersion.Ours);
                break;
            case SftpPacketType.Extended:
                SendLimits(request.Id);
                break;
            case SftpPacketType.Open:
                Send(SftpPacketType.Handle, request.Id, 0, 0, 0, 1, (byte)'h');
                break;
            case SftpPacketType.FStat or SftpPacketType.LStat or SftpPacketType.Stat:
                Send(SftpPacketType.Attributes, request.Id, 0, 0, 0, 0);
                break;
            case SftpPacketType.Read:
                BeginData(request);
                break;
            default:
                // STATUS: REALPATH is refused, which only says that there is no log-in folder to know.
                Send(SftpPacketType.Status, request.Id, 0, 0, 0,
                    (byte)(request.Type == SftpPacketType.RealPath ? SftpStatus.Failure : SftpStatus.Ok), 0, 0, 0, 0, 0, 0, 0, 0);
                break;
        }
    }

    // limits@openssh.com: packet, read, write, handles.
    private void SendLimits(uint id)
    {
        Span<byte> limits = stackalloc byte[4 * sizeof(ulong)];
        BinaryPrimitives.WriteUInt64BigEndian(limits, SftpFraming.MaxPacket);
        BinaryPrimitives.WriteUInt64BigEndian(limits[8..], MostLength);
        BinaryPrimitives.WriteUInt64BigEndian(limits[16..], MostLength);
        BinaryPrimitives.WriteUInt64BigEndian(limits[24..], 0);
        Send(SftpPacketType.ExtendedReply, id, limits);
    }

    // Here the id of VERSION is its version.
    private void Send(SftpPacketType type, uint id, params ReadOnlySpan<byte> fields)
    {
        Head(type, id, fields.Length);
        channel.Send(_reply.AsSpan(0, 9), fields);
    }

    private void BeginData(AskedRequest request)
    {
        _dataLeft = request.Count;
        Head(SftpPacketType.Data, request.Id, 4 + request.Count);
        BinaryPrimitives.WriteInt32BigEndian(_reply.AsSpan(9), request.Count);
        SendData(_reply.AsSpan(0, DataHeader), 0);
    }

    private void SendData(ReadOnlySpan<byte> head, int count)
    {
        channel.Send(head, _content.AsSpan(0, count));
        _dataLeft -= count;
    }

    private void Head(SftpPacketType type, uint id, int fields)
    {
        BinaryPrimitives.WriteInt32BigEndian(_reply, 5 + fields);
        _reply[4] = (byte)type;
        BinaryPrimitives.WriteUInt32BigEndian(_reply.AsSpan(5), id);
    }
}
