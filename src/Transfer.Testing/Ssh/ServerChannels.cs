using System.Buffers;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing.Faults;
using Transfer.Testing.Sftp;

namespace Transfer.Testing.Ssh;

/// <summary>
/// The connection protocol from the server's side (RFC 4254): session channels with the subsystem <c>sftp</c>; all else is refused.
/// </summary>
internal sealed class ServerChannels
{
    private const string Subsystem = "sftp";
    private const uint Prohibited = 1;
    private const uint UnknownType = 3;
    private const uint ResourceShortage = 4;

    private readonly SshServerCore _core;
    private readonly ServerTransport _transport;
    private readonly int _connection;
    private readonly Dictionary<uint, ServerChannel> _channels = [];
    private readonly List<Task> _serving = [];
    private uint _nextId;

    public ServerChannels(SshServerCore core, ServerTransport transport, int connection)
    {
        _core = core;
        _transport = transport;
        _connection = connection;
    }

    /// <summary>Reads until the connection has ended, and then awaits the tasks it started.</summary>
    public async Task RunAsync(CancellationToken ct)
    {
        try
        {
            while (true) await DispatchAsync(await _transport.ReceiveAsync(ct).ConfigureAwait(false), ct).ConfigureAwait(false);
        }
        finally
        {
            foreach (var channel in _channels.Values) channel.OnEnd();
            await Task.WhenAll(_serving).ConfigureAwait(false);
        }
    }

    private ValueTask DispatchAsync(ReadOnlyMemory<byte> message, CancellationToken ct)
    {
        var reader = new SshReader(message.Span[1..]);
        switch (message.Span[0])
        {
            case MessageNumber.ChannelOpen:
                return OpenAsync(message, ct);
            case MessageNumber.ChannelRequest:
                return OnRequestAsync(message, ct);
            case MessageNumber.ChannelData:
                Find(ref reader).OnData(reader.ReadString());
                break;
            case MessageNumber.ChannelExtendedData:
                var channel = Find(ref reader);
                reader.ReadUInt32(); // its type; a client has nothing to say there
                channel.Consumed(reader.ReadString().Length);
                break;
            case MessageNumber.ChannelWindowAdjust:
                Find(ref reader).OnWindowAdjust(reader.ReadUInt32());
                break;
            case MessageNumber.ChannelEof:
                Find(ref reader).OnEof();
                break;
            case MessageNumber.ChannelClose:
                var closed = Find(ref reader);
                closed.OnEnd();
                closed.Close();
                _channels.Remove(closed.LocalId);
                break;
            case MessageNumber.GlobalRequest:
                reader.ReadString();
                if (reader.ReadBoolean()) _transport.Send([MessageNumber.RequestFailure]);
                break;
            case MessageNumber.ChannelSuccess or MessageNumber.ChannelFailure:
            case MessageNumber.RequestSuccess or MessageNumber.RequestFailure:
                break;
            default:
                _transport.SendUnimplemented();
                break;
        }

        return default;
    }

    private async ValueTask OpenAsync(ReadOnlyMemory<byte> message, CancellationToken ct)
    {
        var type = new SshReader(message.Span[1..]).ReadText();
        await _core.HoldAsync(SftpFaults.Channel, type, ct).ConfigureAwait(false);
        var isRefused = false;
        switch (_core.Rules.Take(FaultStage.Command, SftpFaults.Channel, type)?.Action)
        {
            case DropFault drop:
                await _transport.DropAsync(drop.Reset).ConfigureAwait(false);
                return;
            case StatusFault:
                isRefused = true;
                break;
        }

        Open(message.Span, isRefused);
    }

    private void Open(ReadOnlySpan<byte> message, bool isRefused)
    {
        var reader = new SshReader(message[1..]);
        var type = reader.ReadText();
        var refusal = isRefused || type == "direct-tcpip" ? Prohibited
            : type != "session" ? UnknownType
            : _core.Options.MaxChannels > 0 && _channels.Count >= _core.Options.MaxChannels ? ResourceShortage
            : 0;
        if (refusal != 0)
        {
            _transport.Send(Refusal(reader.ReadUInt32(), refusal));
            return;
        }

        var channel = new ServerChannel(_transport, _nextId++, ref reader, _core.Options.ReceiveWindow);
        _channels.Add(channel.LocalId, channel);
        var confirmation = new ArrayBufferWriter<byte>(32);
        confirmation.WriteByte(MessageNumber.ChannelOpenConfirmation);
        confirmation.WriteUInt32(channel.RemoteId);
        confirmation.WriteUInt32(channel.LocalId);
        confirmation.WriteUInt32((uint)_core.Options.ReceiveWindow);
        confirmation.WriteUInt32(PacketLimits.MaxReceiveData);
        _transport.Send(confirmation.WrittenSpan);
    }

    private async ValueTask OnRequestAsync(ReadOnlyMemory<byte> message, CancellationToken ct)
    {
        var (channel, type, wantsReply, argument) = ReadRequest(message.Span);
        if (argument is not null) _core.Log.Add(new TestCommand(_connection, _transport.Reads, type.ToUpperInvariant(), argument));
        var isSftp = type == "subsystem" && argument == Subsystem && channel.Serving is null;
        if (isSftp)
        {
            await _core.HoldAsync(SftpFaults.Subsystem, Subsystem, ct).ConfigureAwait(false);
            switch (_core.Rules.Take(FaultStage.Command, SftpFaults.Subsystem, Subsystem)?.Action)
            {
                case DropFault drop:
                    await _transport.DropAsync(drop.Reset).ConfigureAwait(false);
                    return;
                case StatusFault:
                    isSftp = false;
                    break;
            }
        }

        if (wantsReply) channel.Reply(isSftp);
        if (!isSftp) return;
        channel.Serving = new SftpService(_core, _transport, channel, _connection).RunAsync(ct);
        _serving.Add(channel.Serving);
    }

    /// <summary>
    /// Returns a request's parts (RFC 4254 section 5.4), with the argument of requests that start a service: a command or a subsystem's
    /// name.
    /// </summary>
    private (ServerChannel Channel, string Type, bool WantsReply, string? Argument) ReadRequest(ReadOnlySpan<byte> message)
    {
        var reader = new SshReader(message[1..]);
        var channel = Find(ref reader);
        var type = reader.ReadText();
        var wantsReply = reader.ReadBoolean();
        return (channel, type, wantsReply, type is "subsystem" or "exec" ? reader.ReadText() : null);
    }

    private static byte[] Refusal(uint channel, uint reason)
    {
        var writer = new ArrayBufferWriter<byte>(64);
        writer.WriteByte(MessageNumber.ChannelOpenFailure);
        writer.WriteUInt32(channel);
        writer.WriteUInt32(reason);
        writer.WriteString(reason == ResourceShortage ? "too many channels"u8 : "not here"u8);
        writer.WriteString(""u8);
        return writer.WrittenSpan.ToArray();
    }

    private ServerChannel Find(ref SshReader reader)
    {
        var id = reader.ReadUInt32();
        return _channels.TryGetValue(id, out var channel) ? channel
            : throw new TransferException(TransferError.Protocol, $"The client speaks of channel {id}, which is not open.");
    }
}
