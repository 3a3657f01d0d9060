using System.Buffers;
using System.Net.Sockets;
using Transfer.Sftp.Ssh.Packets;
using Transfer.Sftp.Ssh.Wire;
using Transfer.Testing.Connections;

namespace Transfer.Testing.Ssh;

/// <summary>
/// The transport layer of one connection from the server's side (RFC 4253): the version exchange, packets, key exchanges at any moment.
/// One task reads
/// (<see cref="ReceiveAsync"/>); sending is allowed from anywhere.
/// </summary>
internal sealed class ServerTransport : IAsyncDisposable
{
    private static readonly TimeSpan LastWords = TimeSpan.FromSeconds(2);

    private readonly Socket _socket;
    private readonly NetworkStream _stream;
    private readonly SshServerCore _core;
    private readonly PacketReader _reader;
    private readonly ServerKeyExchange _kex;

    public ServerTransport(Socket socket, SshServerCore core)
    {
        _socket = socket;
        _core = core;
        _stream = new NetworkStream(socket, ownsSocket: true);
        _reader = new PacketReader(_stream);

        // When writing has failed, the reading task sees the connection's end.
        Writer = new PacketWriter(_stream, () => _kex!.Start(), _ => { })
        {
            RekeyAfterBytes = core.Options.RekeyAfterBytes is { } bytes ? (ulong)bytes : ulong.MaxValue,
        };
        _kex = new ServerKeyExchange(core, _reader, Writer);
    }

    public PacketWriter Writer { get; }

    public ReadOnlyMemory<byte> SessionId => _kex.SessionId;

    /// <summary>The number of reads of the socket that brought bytes.</summary>
    public int Reads { get; private set; }

    /// <summary>Greets and exchanges the first keys.</summary>
    public async ValueTask HandshakeAsync(CancellationToken ct)
    {
        Writer.AddRaw([.. _core.Version.Span, (byte)'\r', (byte)'\n']);
        _kex.Start();
        await ReadVersionAsync(ct).ConfigureAwait(false);
        while (!_kex.IsEstablished)
        {
            // The client's first request may arrive with its NEWKEYS: the request is left for the layer above.
            if (!_reader.TryRead(out var message)) await FillAsync(ct).ConfigureAwait(false);
            else if (IsForLayersAbove(message.Span)) throw Unexpected("a message before the first keys");
        }
    }

    /// <summary>Returns the next message for the layers above, valid until the next call.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReceiveAsync(CancellationToken ct)
    {
        while (true)
        {
            if (!_reader.TryRead(out var message)) await FillAsync(ct).ConfigureAwait(false);
            else if (IsForLayersAbove(message.Span)) return message;
        }
    }

    public void Send(ReadOnlySpan<byte> payload) => Writer.Send(payload);

    /// <summary>Answers an unknown message (RFC 4253 section 11.4). Call before the next message is taken.</summary>
    public void SendUnimplemented()
    {
        var writer = new ArrayBufferWriter<byte>(8);
        writer.WriteByte(MessageNumber.Unimplemented);
        writer.WriteUInt32(_reader.Sequence - 1);
        Writer.SendNow(writer.WrittenSpan);
    }

    /// <summary>Sends SSH_MSG_DISCONNECT (RFC 4253 section 11.1) as the last message.</summary>
    public void Disconnect(uint reason, string text)
    {
        var writer = new ArrayBufferWriter<byte>(64);
        writer.WriteByte(MessageNumber.Disconnect);
        writer.WriteUInt32(reason);
        writer.WriteString(text);
        writer.WriteString(""u8);
        Writer.Fail(new ConnectionLostException(), writer.WrittenSpan);
    }

    /// <summary>Ends the connection after all data sent, without a message; a reset loses the data under way.</summary>
    public async ValueTask DropAsync(bool reset)
    {
        if (reset)
        {
            Reset();
            return;
        }

        Writer.Fail(new ConnectionLostException(), []);
        await DrainAsync().ConfigureAwait(false);
        _socket.Shutdown(SocketShutdown.Both);
    }

    /// <summary>Resets the connection now.</summary>
    public void Reset() => _socket.Close(0);

    public async ValueTask DisposeAsync()
    {
        Writer.Fail(new ConnectionLostException(), []);
        await DrainAsync().ConfigureAwait(false);
        await _stream.DisposeAsync().ConfigureAwait(false);
        await Writer.Drained.ConfigureAwait(false);
        Writer.Dispose();
        _kex.Dispose();
        _reader.Dispose();
    }

    private async ValueTask DrainAsync()
    {
        try
        {
            await Writer.Drained.WaitAsync(LastWords).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The client does not read the last message: the socket loses it.
        }
    }

    /// <summary>Handles a message of the transport; true for one of the layers above.</summary>
    private bool IsForLayersAbove(ReadOnlySpan<byte> message)
    {
        var number = message[0];
        if (number is MessageNumber.ServiceRequest or MessageNumber.ServiceAccept or > MessageNumber.LastKex)
        {
            if (!_kex.IsEstablished || _kex.ClientIsExchanging) throw Unexpected($"message {number} in a key exchange");
            return true;
        }

        OnTransportMessage(number, message);
        return false;
    }

    private async ValueTask FillAsync(CancellationToken ct)
    {
        var keysAreUsedUp = Writer.KeysAreUsedUp || _reader.BytesSinceKeys >= Writer.RekeyAfterBytes;
        if (keysAreUsedUp && _kex.IsEstablished && !_kex.ClientIsExchanging) _kex.Start();
        if (!await _reader.FillAsync(ct).ConfigureAwait(false)) throw new ConnectionLostException();
        Reads++;
    }

    private async ValueTask ReadVersionAsync(CancellationToken ct)
    {
        while (true)
        {
            if (VersionLine.TryTakeLine(_reader.Unread, out var line, out var consumed, out var isVersion))
            {
                // Only a server may send other lines in front (RFC 4253 section 4.2).
                if (!isVersion) throw Unexpected("a line that is no SSH version");
                _kex.ClientVersion = line.ToArray();
                _reader.Skip(consumed);
                return;
            }

            await FillAsync(ct).ConfigureAwait(false);
        }
    }

    private void OnTransportMessage(byte number, ReadOnlySpan<byte> payload)
    {
        var isOfExchange = number is MessageNumber.Disconnect or MessageNumber.NewKeys or >= MessageNumber.KexClientValue;
        if (!_kex.IsEstablished && _kex.IsStrict && !isOfExchange)
            throw Unexpected($"message {number} in a strict key exchange");
        switch (number)
        {
            case MessageNumber.Disconnect:
                throw new ConnectionLostException();
            case MessageNumber.Ignore or MessageNumber.Unimplemented or MessageNumber.Debug or MessageNumber.ExtensionInfo:
                break;
            case MessageNumber.KexInit:
                _kex.OnInit(payload);
                break;
            case MessageNumber.NewKeys:
                _kex.OnNewKeys();
                break;
            case >= MessageNumber.KexClientValue and <= MessageNumber.LastKex:
                _kex.OnMethodMessage(payload);
                break;
            default:
                if (!_kex.IsEstablished) throw Unexpected($"message {number} before the first keys");
                SendUnimplemented();
                break;
        }
    }

    private static TransferException Unexpected(string what) =>
        new(TransferError.Protocol, $"The client sent {what}, which has no place there.");
}
