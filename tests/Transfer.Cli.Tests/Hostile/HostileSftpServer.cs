using System.Buffers;
using System.Buffers.Binary;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Cli.Tests.Hostile;

/// <summary>
/// An SSH server with an SFTP of its own, which attacks whoever comes. Built from the client's packet code, as the scripted server is.
/// </summary>
internal sealed class HostileSftpServer(HostileAttack attack) : HostilePeer(attack)
{
    // What the client may not have taken yet.
    private const int LeastWindow = 300_000;

    private readonly Queue<byte[]> _waiting = [];
    private readonly List<byte> _requests = [];
    private long _window;
    private uint _channel;
    private long _names;

    protected override async Task ServeAsync(Stream stream)
    {
        using var server = new ScriptedServer(stream);
        if (Attack == HostileAttack.Drip)
        {
            await DripAsync(stream, "x"u8.ToArray());
        }
        await server.ExchangeVersionsAsync();
        if (Attack == HostileAttack.FloodBeforeKeys) await FloodAsync(stream, ScriptedServer.InTheClear(MessageNumber.Ignore));
        await server.ExchangeKeysAsync();
        if (Attack == HostileAttack.FloodAfterKeys) await FloodAsync(server, [15]);
        await server.ReceiveAsync(MessageNumber.ServiceRequest);
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(ScriptedServer.Accept, [MessageNumber.AuthSuccess]);
        if (Attack == HostileAttack.FloodAfterLogIn)
        {
            await FloodAsync(server, ScriptedServer.Message(MessageNumber.GlobalRequest, w =>
            {
                w.WriteString("keepalive@openssh.com");
                w.WriteBoolean(true);
            }));
        }
        while (true) await TakeAsync(server, await server.ReceiveAsync());
    }

    private static async Task FloodAsync(ScriptedServer server, byte[] message)
    {
        var many = Enumerable.Repeat(message, 1000).ToArray();
        while (true) await server.SendAsync(many);
    }

    private async Task TakeAsync(ScriptedServer server, byte[] message)
    {
        switch (message[0])
        {
            case MessageNumber.ChannelOpen:
                Opened(message);
                await server.SendAsync(ScriptedServer.Confirmation(_channel, 1 << 30, 32768));
                break;
            case MessageNumber.ChannelRequest:
                await server.SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelSuccess, _channel));
                break;
            case MessageNumber.ChannelWindowAdjust:
                _window += BinaryPrimitives.ReadUInt32BigEndian(message.AsSpan(5));
                break;
            case MessageNumber.ChannelData:
                _requests.AddRange(message.AsSpan(9));
                while (TryTakeRequest() is { } request) Answer(request);
                break;
            case MessageNumber.ChannelClose:
                await server.SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelClose, _channel));
                break;
            case MessageNumber.Disconnect:
                throw new EndOfStreamException();
        }
        while (_window > LeastWindow && _waiting.TryDequeue(out var answer)) await SendAsync(server, answer);
    }

    private void Opened(byte[] message)
    {
        var reader = new SshReader(message.AsSpan(1));
        reader.ReadString();
        _channel = reader.ReadUInt32();
        _window = reader.ReadUInt32();
    }

    private async Task SendAsync(ScriptedServer server, byte[] answer)
    {
        _window -= answer.Length;
        foreach (var part in answer.Chunk(32_000)) await server.SendAsync(ScriptedServer.Data(_channel, part));
    }

    private byte[]? TryTakeRequest()
    {
        if (_requests.Count < 4) return null;
        var length = BinaryPrimitives.ReadInt32BigEndian(_requests.Take(4).ToArray());
        if (_requests.Count < 4 + length) return null;
        var request = _requests.Skip(4).Take(length).ToArray();
        _requests.RemoveRange(0, 4 + length);
        return request;
    }

    private void Answer(byte[] request)
    {
        var type = (SftpPacketType)request[0];
        if (type == SftpPacketType.Init)
        {
            Enqueue(SftpPacketType.Version, w => w.WriteUInt32(3));
            return;
        }
        var reader = new SshReader(request.AsSpan(1));
        var id = reader.ReadUInt32();
        var text = type == SftpPacketType.Extended ? string.Empty : reader.ReadText();
        switch (type)
        {
            case SftpPacketType.RealPath:
                Enqueue(SftpPacketType.Name, id, w => Names(w, ["/"], isFile: false));
                break;
            case SftpPacketType.OpenDir or SftpPacketType.Open:
                Enqueue(SftpPacketType.Handle, id, w => w.WriteString("handle"u8));
                break;
            case SftpPacketType.ReadDir:
                Enqueue(SftpPacketType.Name, id, w => Names(w, [.. Enumerable.Range(0, 100).Select(_ => $"{++_names:x8}")], isFile: true));
                break;
            case SftpPacketType.LStat or SftpPacketType.Stat:
                Enqueue(SftpPacketType.Attributes, id, w => Attributes(w, isFile: text.Contains("file", StringComparison.Ordinal)));
                break;
            case SftpPacketType.FStat:
                // Told before, and not of the open file: nothing but that says where it ends.
                Enqueue(SftpPacketType.Attributes, id, w => w.WriteUInt32(0));
                break;
            case SftpPacketType.Read:
                reader.ReadUInt64();
                var count = (int)reader.ReadUInt32();
                Enqueue(SftpPacketType.Data, id, w => w.WriteString(new byte[count]));
                break;
            default:
                var status = type == SftpPacketType.Close ? SftpStatus.Ok : SftpStatus.Unsupported;
                Enqueue(SftpPacketType.Status, id, w =>
                {
                    w.WriteUInt32((uint)status);
                    w.WriteString(string.Empty);
                    w.WriteString(string.Empty);
                });
                break;
        }
    }

    private static void Names(IBufferWriter<byte> w, string[] names, bool isFile)
    {
        w.WriteUInt32((uint)names.Length);
        foreach (var name in names)
        {
            w.WriteString(name);
            w.WriteString(name);
            Attributes(w, isFile);
        }
    }

    private static void Attributes(IBufferWriter<byte> w, bool isFile)
    {
        w.WriteUInt32(0x5); // a length and permissions
        w.WriteUInt64(Length);
        w.WriteUInt32(isFile ? 0x81A4u : 0x41EDu);
    }

    private void Enqueue(SftpPacketType type, uint id, Action<IBufferWriter<byte>> fields) => Enqueue(type, w =>
    {
        w.WriteUInt32(id);
        fields(w);
    });

    private void Enqueue(SftpPacketType type, Action<IBufferWriter<byte>> fields)
    {
        var body = ScriptedServer.Message((byte)type, fields);
        _waiting.Enqueue(ScriptedServer.Message(w => w.WriteString(body)));
    }
}
