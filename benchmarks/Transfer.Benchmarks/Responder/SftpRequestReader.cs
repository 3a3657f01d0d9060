using System.Buffers.Binary;
using Transfer.Sftp.Protocol;

namespace Transfer.Benchmarks.Responder;

/// <summary>Finds the requests in a channel's bytes, however they are cut; contents are passed over.</summary>
internal sealed class SftpRequestReader
{
    private const int LengthSize = 4;
    private const int IdAt = 5;

    // READ behind a handle of one byte: length, type, id, handle, offset.
    private const int CountAt = 4 + 1 + 4 + (4 + 1) + 8;

    private readonly byte[] _head = new byte[CountAt + 4];
    private int _filled;
    private int _toSkip;

    /// <summary>Takes the next request's head off the data; false: it goes on in data to come.</summary>
    public bool TryRead(ref ReadOnlySpan<byte> data, out AskedRequest request)
    {
        request = default;
        Skip(ref data);
        Fill(ref data, LengthSize);
        if (_filled < LengthSize) return false;
        var size = LengthSize + BinaryPrimitives.ReadInt32BigEndian(_head);
        var headSize = Math.Min(size, _head.Length);
        Fill(ref data, headSize);
        if (_filled < headSize) return false;
        _filled = 0;
        _toSkip = size - headSize;
        Skip(ref data);
        var type = (SftpPacketType)_head[LengthSize];
        request = new AskedRequest(type, BinaryPrimitives.ReadUInt32BigEndian(_head.AsSpan(IdAt)),
            type == SftpPacketType.Read ? BinaryPrimitives.ReadInt32BigEndian(_head.AsSpan(CountAt)) : 0);
        return true;
    }

    private void Fill(ref ReadOnlySpan<byte> data, int upTo)
    {
        var count = Math.Min(upTo - _filled, data.Length);
        if (count <= 0) return;
        data[..count].CopyTo(_head.AsSpan(_filled));
        _filled += count;
        data = data[count..];
    }

    private void Skip(ref ReadOnlySpan<byte> data)
    {
        var count = Math.Min(_toSkip, data.Length);
        _toSkip -= count;
        data = data[count..];
    }
}
