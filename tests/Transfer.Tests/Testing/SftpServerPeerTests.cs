using System.Net.Sockets;
using System.Text;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>An embedded SFTP server against clients that do what none should.</summary>
internal sealed class SftpServerPeerTests
{
    private const uint ProtocolError = 2;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    [Test]
    public async Task A_packet_in_front_of_a_strict_key_exchange_ends_the_connection()
    {
        await using var server = await SftpServerHarness.StartAsync();
        Assert.That(await EndAsync(server, buffer => buffer.AddPacket([MessageNumber.Ignore, 0, 0, 0, 0], [])),
            Is.EqualTo(ProtocolError), "Terrapin's first half");
        await server.LogInAsync();
    }

    [Test]
    public async Task A_packet_in_front_of_another_key_exchange_is_passed_over()
    {
        await using var server = await SftpServerHarness.StartAsync();
        await using var connected = await ConnectAsync(server);
        using var buffer = new SendBuffer();
        buffer.AddRaw("SSH-2.0-client\r\n"u8);
        buffer.AddPacket([MessageNumber.Ignore, 0, 0, 0, 0], []);
        buffer.AddPacket(Init(strict: false), []);
        using var agreement = KexAlgorithm.Get("curve25519-sha256").Create();
        buffer.AddPacket([MessageNumber.KexClientValue, 0, 0, 0, 32, .. agreement.PublicValue.Span], []);
        await connected.WriteAsync(buffer.Take());
        using var reader = await AfterVersionAsync(connected);
        Assert.That(await NextAsync(reader), Is.EqualTo(MessageNumber.KexInit));
        Assert.That(await NextAsync(reader), Is.EqualTo(MessageNumber.KexServerValue));
    }

    [Test]
    public async Task A_request_before_the_first_keys_ends_the_connection()
    {
        await using var server = await SftpServerHarness.StartAsync();
        Assert.That(await EndAsync(server, buffer => buffer.AddPacket([MessageNumber.ServiceRequest, 0, 0, 0, 0], [])),
            Is.EqualTo(ProtocolError));
    }

    [Test]
    public async Task What_is_no_SSH_is_sent_away()
    {
        await using var server = await SftpServerHarness.StartAsync();
        foreach (var greeting in (string[])["GET / HTTP/1.1\r\n", "SSH-1.5-old\r\n", new string('x', 100_000)])
        {
            await using var connected = await ConnectAsync(server);
            await connected.WriteAsync(Encoding.ASCII.GetBytes(greeting));
            using var said = new MemoryStream();
            try
            {
                await connected.CopyToAsync(said).WaitAsync(Patience);
            }
            catch (IOException)
            {
                // Reset, with bytes of the greeting unread.
            }
        }

        await server.LogInAsync();
    }

    [Test]
    public async Task A_store_without_links_says_so()
    {
        await using var server = await SftpServerHarness.StartAsync(new() { Store = new NoReplaceStore(new MemoryStore()) });
        await using var sftp = await RawSftp.StartAsync(server);
        Assert.That(await sftp.StatusAsync(SftpPacketType.SymLink, "a", "/b"), Is.EqualTo(SftpStatus.Unsupported));
        Assert.That(await sftp.StatusAsync(SftpPacketType.Extended, SftpExtension.HardLink, "/a", "/b"),
            Is.EqualTo(SftpStatus.Unsupported));
        Assert.That(await sftp.PathAsync(SftpPacketType.RealPath, "/a"), Is.EqualTo("/a"));
    }

    /// <summary>The reason by which the server ends a connection whose strict KEXINIT has something in front.</summary>
    private static async Task<uint> EndAsync(SftpTestServer server, Action<SendBuffer> inFront)
    {
        await using var connected = await ConnectAsync(server);
        using var buffer = new SendBuffer();
        buffer.AddRaw("SSH-2.0-client\r\n"u8);
        inFront(buffer);
        buffer.AddPacket(Init(strict: true), []);
        await connected.WriteAsync(buffer.Take());
        using var reader = await AfterVersionAsync(connected);
        while (true)
        {
            if (reader.TryRead(out var message))
            {
                if (message.Span[0] == MessageNumber.Disconnect) return new SshReader(message.Span[1..]).ReadUInt32();
                continue;
            }

            if (!await reader.FillAsync(CancellationToken.None).AsTask().WaitAsync(Patience))
                throw new AssertionException("It ended without a word.");
        }
    }

    private static async Task<NetworkStream> ConnectAsync(SftpTestServer server)
    {
        var socket = new Socket(server.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.EndPoint).WaitAsync(Patience);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static byte[] Init(bool strict) => new KexInit
    {
        Methods = strict ? ["curve25519-sha256", KexNames.ClientStrict] : ["curve25519-sha256"],
        HostKeys = ["ssh-ed25519"],
        CiphersToServer = ["aes128-ctr"],
        CiphersToClient = ["aes128-ctr"],
        MacsToServer = ["hmac-sha2-256"],
        MacsToClient = ["hmac-sha2-256"],
    }.ToPayload();

    private static async Task<PacketReader> AfterVersionAsync(Stream stream)
    {
        var reader = new PacketReader(stream);
        int end;
        while ((end = reader.Unread.IndexOf((byte)'\n')) < 0) await reader.FillAsync(CancellationToken.None).AsTask().WaitAsync(Patience);
        reader.Skip(end + 1);
        return reader;
    }

    private static async Task<byte> NextAsync(PacketReader reader)
    {
        ReadOnlyMemory<byte> message;
        while (!reader.TryRead(out message))
        {
            if (!await reader.FillAsync(CancellationToken.None).AsTask().WaitAsync(Patience)) throw new AssertionException("It ended.");
        }

        return message.Span[0];
    }
}
