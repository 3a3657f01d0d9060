using System.Buffers;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing;
using Transfer.Tests.Sftp.Ssh;

namespace Transfer.Tests.Testing;

/// <summary>SFTP requests by hand, one at a time, over a connection of the client's.</summary>
internal sealed class RawSftp : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly SshConnection _connection;
    private readonly SshChannel _channel;
    private uint _id;

    private RawSftp(SshConnection connection, SshChannel channel)
    {
        _connection = connection;
        _channel = channel;
    }

    /// <summary>What the server named in SSH_FXP_VERSION.</summary>
    public string[] Extensions { get; private set; } = [];

    public static ValueTask<SshConnection> ConnectAsync(SftpTestServer server) => SshConnection.ConnectAsync(new SshConnectionSettings
    {
        Host = server.EndPoint.Address.ToString(),
        Port = server.EndPoint.Port,
        User = "demo",
        Trust = new SshHarness.FixedTrust(),
        Credential = new TransferCredential("demo", "demo"),
        Logger = NullLogger.Instance,
    }, CancellationToken.None);

    public static async Task<RawSftp> StartAsync(SftpTestServer server)
    {
        var connection = await ConnectAsync(server);
        var raw = new RawSftp(connection, await connection.OpenSubsystemAsync("sftp", CancellationToken.None));
        await raw.SendAsync([0, 0, 0, 5, (byte)SftpPacketType.Init, 0, 0, 0, 3]);
        var version = await raw.ReceiveAsync();
        raw.Extensions = [.. Names(version.AsSpan(5))];
        return raw;
    }

    public async Task SendAsync(byte[] bytes) => await _channel.Output.WriteAsync(bytes).AsTask().WaitAsync(Patience);

    /// <summary>The next packet, without its length.</summary>
    public async Task<byte[]> ReceiveAsync()
    {
        while (true)
        {
            var result = await _channel.Input.ReadAsync().AsTask().WaitAsync(Patience);
            var buffer = result.Buffer;
            if (SftpFraming.TryTake(ref buffer, out var packet))
            {
                var bytes = packet.ToArray();
                _channel.Input.AdvanceTo(buffer.Start);
                return bytes;
            }

            _channel.Input.AdvanceTo(buffer.Start, buffer.End);
            if (result.IsCompleted) throw new EndOfStreamException("The channel has ended.");
        }
    }

    /// <summary>Sends a request and returns the type of its reply and the fields behind the number.</summary>
    public async Task<(SftpPacketType Type, byte[] Fields)> AskAsync(SftpPacketType type, params object[] fields)
    {
        var id = ++_id;
        var body = new ArrayBufferWriter<byte>();
        body.WriteByte((byte)type);
        body.WriteUInt32(id);
        foreach (var field in fields)
        {
            switch (field)
            {
                case string text: body.WriteString(text); break;
                case byte[] bytes: body.WriteString(bytes); break;
                case uint number: body.WriteUInt32(number); break;
                case ulong number: body.WriteUInt64(number); break;
                case SftpAttributes attributes: attributes.Write(body); break;
                default: throw new ArgumentException(field.ToString());
            }
        }

        var packet = new ArrayBufferWriter<byte>();
        packet.WriteString(body.WrittenSpan);
        await SendAsync(packet.WrittenSpan.ToArray());
        var reply = await ReceiveAsync();
        Assert.That(System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(reply.AsSpan(1)), Is.EqualTo(id), "the reply's number");
        return ((SftpPacketType)reply[0], reply[5..]);
    }

    /// <summary>The status that a request is answered.</summary>
    public async Task<SftpStatus> StatusAsync(SftpPacketType type, params object[] fields)
    {
        var (reply, body) = await AskAsync(type, fields);
        Assert.That(reply, Is.EqualTo(SftpPacketType.Status));
        return (SftpStatus)new SshReader(body).ReadUInt32();
    }

    /// <summary>Opens a file or directory and returns its handle.</summary>
    public async Task<byte[]> OpenAsync(string path, SftpOpenFlags flags)
    {
        var (reply, body) = await AskAsync(SftpPacketType.Open, path, (uint)flags, default(SftpAttributes));
        Assert.That(reply, Is.EqualTo(SftpPacketType.Handle), path);
        return new SshReader(body).ReadString().ToArray();
    }

    /// <summary>The one path in the reply of REALPATH or READLINK.</summary>
    public async Task<string> PathAsync(SftpPacketType type, string path)
    {
        var (reply, body) = await AskAsync(type, path);
        Assert.That(reply, Is.EqualTo(SftpPacketType.Name), path);
        var reader = new SshReader(body);
        reader.ReadUInt32();
        return reader.ReadText();
    }

    public async Task<SftpAttributes> AttributesAsync(SftpPacketType type, object pathOrHandle)
    {
        var (reply, body) = await AskAsync(type, pathOrHandle);
        Assert.That(reply, Is.EqualTo(SftpPacketType.Attributes));
        var reader = new SshReader(body);
        return SftpAttributes.Read(ref reader);
    }

    public async Task<byte[]> ReadAsync(byte[] handle, ulong offset, uint length)
    {
        var (reply, body) = await AskAsync(SftpPacketType.Read, handle, offset, length);
        return reply == SftpPacketType.Data ? new SshReader(body).ReadString().ToArray() : [];
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _connection.DisposeAsync();
    }

    private static List<string> Names(ReadOnlySpan<byte> pairs)
    {
        var names = new List<string>();
        var reader = new SshReader(pairs);
        while (!reader.Rest.IsEmpty)
        {
            names.Add(reader.ReadText());
            reader.ReadString();
        }

        return names;
    }
}
