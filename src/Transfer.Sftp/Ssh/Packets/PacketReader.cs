using System.Buffers;
using System.Runtime.CompilerServices;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp.Ssh.Packets;

/// <summary>
/// Cuts the incoming bytes into packets and opens them in place (RFC 4253 section 6). One large buffer for the connection's life; one read
/// of the socket brings many packets, and taking them costs neither an allocation nor an await.
/// </summary>
internal sealed class PacketReader(Stream stream) : IDisposable
{
    private const string Damaged = "A packet of the peer is damaged or was tampered with.";

    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(PacketLimits.ReadBuffer);
    private PacketCipher _cipher = new ClearCipher();
    private int _start;
    private int _end;
    private int _used; // up to here the buffer has held received bytes
    private int _length = -1;

    /// <summary>The sequence number of the next packet.</summary>
    public uint Sequence { get; private set; }

    public ulong PacketsSinceKeys { get; private set; }

    public ulong BytesSinceKeys { get; private set; }

    /// <summary>The bytes received and not taken: the version exchange reads them raw.</summary>
    public ReadOnlySpan<byte> Unread => _buffer.AsSpan(_start, _end - _start);

    public void Skip(int count) => _start += count;

    /// <summary>
    /// Takes the next packet if all of it has arrived. The payload stays valid until the next call here or <see cref="FillAsync"/>.
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: no valid packet.</exception>
    public bool TryRead(out ReadOnlyMemory<byte> payload)
    {
        payload = default;
        if (_length < 0)
        {
            if (_end - _start < _cipher.HeaderSize) return false;
            _length = CheckLength(_cipher.OpenLength(Sequence, _buffer.AsSpan(_start, _cipher.HeaderSize)));
        }

        var size = PacketCipher.LengthSize + _length;
        if (_end - _start < size + _cipher.TagSize) return false;
        var packet = _buffer.AsSpan(_start, size);
        if (!_cipher.Open(Sequence, packet, _buffer.AsSpan(_start + size, _cipher.TagSize))) throw Bad();

        int padding = packet[PacketCipher.LengthSize];
        var payloadSize = _length - 1 - padding;
        if (padding < PacketLimits.MinPadding || payloadSize < 1) throw Bad();
        payload = _buffer.AsMemory(_start + PacketCipher.LengthSize + 1, payloadSize);
        _start += size + _cipher.TagSize;
        _length = -1;
        Sequence++;
        PacketsSinceKeys++;
        BytesSinceKeys += (ulong)size;
        return true;
    }

    /// <summary>Reads from the socket once; false at the end of the stream.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<bool> FillAsync(CancellationToken ct)
    {
        if (_start == _end)
        {
            _start = _end = 0;
        }
        else if (_buffer.Length - _start < PacketLimits.MaxLength + PacketLimits.MaxOverhead)
        {
            // The start of an incomplete packet moves to the front, so that the rest fits.
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        var count = await stream.ReadAsync(_buffer.AsMemory(_end), ct).ConfigureAwait(false);
        _end += count;
        _used = Math.Max(_used, _end);
        return count > 0;
    }

    /// <summary>Changes the keys for the following packets (NEWKEYS was read).</summary>
    public void ChangeKeys(PacketCipher cipher, bool resetSequence)
    {
        _cipher.Dispose();
        _cipher = cipher;
        PacketsSinceKeys = 0;
        BytesSinceKeys = 0;
        if (resetSequence) Sequence = 0;
    }

    /// <summary>Returns the buffer; no read may be under way.</summary>
    public void Dispose()
    {
        _cipher.Dispose();
        _buffer.AsSpan(0, _used).Clear();
        if (_buffer.Length > 0) ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _start = _end = _used = 0;
    }

    private int CheckLength(uint length)
    {
        var counted = length + (_cipher.AlignsLength ? PacketCipher.LengthSize : 0u);
        if (length is < PacketLimits.MinLength or > PacketLimits.MaxLength || counted % (uint)_cipher.BlockSize != 0) throw Bad();
        return (int)length;
    }

    private static TransferException Bad() => new(TransferError.Protocol, Damaged);
}
