using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Responder;

/// <summary>The server's end of a connection, made of the client's own packet code.</summary>
internal sealed class SshWire(Stream stream) : IDisposable
{
    private readonly PacketReader _reader = new(stream);
    private readonly SendBuffer _sending = new();

    /// <summary>Room for one more packet of the largest size.</summary>
    public bool HasRoom => _sending.Count + PacketLimits.MaxSendData + PacketLimits.MaxOverhead <= PacketLimits.WriteBuffer;

    public bool TryReceive(out ReadOnlyMemory<byte> message) => _reader.TryRead(out message);

    public ValueTask<bool> FillAsync() => _reader.FillAsync(CancellationToken.None);

    public void Add(ReadOnlySpan<byte> head, ReadOnlySpan<byte> rest = default) => _sending.AddPacket(head, rest);

    public ValueTask FlushAsync() => _sending.Count > 0 ? stream.WriteAsync(_sending.Take()) : default;

    /// <summary>The next message, whole.</summary>
    public async ValueTask<byte[]> ReceiveAsync(byte number)
    {
        ReadOnlyMemory<byte> message;
        while (!_reader.TryRead(out message))
        {
            if (!await FillAsync()) throw new EndOfStreamException("The client has left.");
        }
        return message.Span[0] == number
            ? message.ToArray() : throw new InvalidDataException($"The client sent message {message.Span[0]}, not {number}.");
    }

    /// <summary>Sends our version line and reads theirs.</summary>
    public async ValueTask<byte[]> ExchangeVersionsAsync(ReadOnlyMemory<byte> ours)
    {
        _sending.AddRaw(ours.Span);
        _sending.AddRaw("\r\n"u8);
        await FlushAsync();
        int end;
        while ((end = _reader.Unread.IndexOf((byte)'\n')) < 0)
        {
            if (!await FillAsync()) throw new EndOfStreamException("The client has left.");
        }
        var line = _reader.Unread[..end].TrimEnd((byte)'\r').ToArray();
        _reader.Skip(end + 1);
        return line;
    }

    public void ChangeSendingKeys(PacketCipher cipher) => _sending.ChangeKeys(cipher, resetSequence: true);

    public void ChangeReceivingKeys(PacketCipher cipher) => _reader.ChangeKeys(cipher, resetSequence: true);

    public void Dispose()
    {
        _reader.Dispose();
        _sending.Dispose();
    }
}
