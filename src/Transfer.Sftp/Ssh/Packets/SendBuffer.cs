using System.Buffers;
using System.Buffers.Binary;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp.Ssh.Packets;

/// <summary>Sealed packets that wait for the socket, in sequence in one array. The owner serialises the calls.</summary>
internal sealed class SendBuffer : IDisposable
{
    private readonly PaddingSource _padding = new();
    private byte[] _filling = ArrayPool<byte>.Shared.Rent(PacketLimits.WriteBuffer);
    private byte[] _spare = ArrayPool<byte>.Shared.Rent(PacketLimits.WriteBuffer);
    private PacketCipher _cipher = new ClearCipher();
    private uint _sequence;

    /// <summary>The bytes that wait.</summary>
    public int Count { get; private set; }

    public ulong PacketsSinceKeys { get; private set; }

    public ulong BytesSinceKeys { get; private set; }

    /// <summary>Bytes that are no packet: the version line.</summary>
    public void AddRaw(ReadOnlySpan<byte> bytes)
    {
        EnsureRoom(bytes.Length);
        bytes.CopyTo(_filling.AsSpan(Count));
        Count += bytes.Length;
    }

    /// <summary>
    /// Seals one packet of a payload in two parts. The size is rounded up to a multiple of <paramref name="hideIn"/>, which hides a
    /// secret's length.
    /// </summary>
    public void AddPacket(ReadOnlySpan<byte> head, ReadOnlySpan<byte> rest, int hideIn = 0)
    {
        var payload = head.Length + rest.Length;
        var padding = _cipher.PaddingFor(payload);
        if (hideIn > 0)
        {
            while ((payload + padding) % hideIn >= _cipher.BlockSize && padding + _cipher.BlockSize <= byte.MaxValue)
                padding += _cipher.BlockSize;
        }

        var size = PacketCipher.LengthSize + 1 + payload + padding;
        EnsureRoom(size + _cipher.TagSize);
        var packet = _filling.AsSpan(Count, size);
        BinaryPrimitives.WriteInt32BigEndian(packet, size - PacketCipher.LengthSize);
        packet[PacketCipher.LengthSize] = (byte)padding;
        head.CopyTo(packet[(PacketCipher.LengthSize + 1)..]);
        rest.CopyTo(packet[(PacketCipher.LengthSize + 1 + head.Length)..]);
        _padding.Fill(packet[^padding..]);
        _cipher.Seal(_sequence, packet, _filling.AsSpan(Count + size, _cipher.TagSize));
        Count += size + _cipher.TagSize;
        _sequence++;
        PacketsSinceKeys++;
        BytesSinceKeys += (ulong)size;
    }

    /// <summary>Changes the keys for the following packets (NEWKEYS was added).</summary>
    public void ChangeKeys(PacketCipher cipher, bool resetSequence)
    {
        _cipher.Dispose();
        _cipher = cipher;
        PacketsSinceKeys = 0;
        BytesSinceKeys = 0;
        if (resetSequence) _sequence = 0;
    }

    /// <summary>Takes the waiting bytes, valid until the next call. From here on the other array is filled.</summary>
    public ReadOnlyMemory<byte> Take()
    {
        var taken = _filling.AsMemory(0, Count);
        (_filling, _spare) = (_spare, _filling);
        Count = 0;
        return taken;
    }

    public void Dispose()
    {
        _cipher.Dispose();
        if (_filling.Length > 0) ArrayPool<byte>.Shared.Return(_filling);
        if (_spare.Length > 0) ArrayPool<byte>.Shared.Return(_spare);
        _filling = _spare = [];
        Count = 0;
    }

    private void EnsureRoom(int size)
    {
        if (_filling.Length - Count >= size) return;
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(2 * _filling.Length, Count + size));
        _filling.AsSpan(0, Count).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_filling);
        _filling = larger;
    }
}
