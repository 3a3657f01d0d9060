using System.Runtime.InteropServices;

namespace Transfer.Wan.Link.Packets;

/// <summary>
/// Packets under way, in order, in one block of memory: read into where they stay, written from there. A packet is a header of 16 bytes
/// (its time and its
/// length) and its bytes, never divided at the block's end. One thread. Pages that were never used cost nothing.
/// </summary>
internal sealed unsafe class PacketRing : IDisposable
{
    /// <summary>Most that one packet may have: 64 KiB and headers.</summary>
    public const int MaxPacket = 66 * 1024;

    private const int HeaderSize = 16;
    private const long Wrapped = -1;

    private readonly byte* _block;
    private readonly long _size;
    private long _head;
    private long _tail;

    public PacketRing(long size)
    {
        _size = Math.Max(size, 4 * MaxPacket);
        _block = (byte*)NativeMemory.Alloc((nuint)_size);
    }

    public bool IsEmpty => Count == 0;

    public int Count { get; private set; }

    /// <summary>When the first packet is due.</summary>
    public long Due => Header(_head).Due;

    /// <summary>The first packet.</summary>
    public ReadOnlySpan<byte> First => new(_block + _head + HeaderSize, Header(_head).Length);

    /// <summary>Room for a packet behind the last; empty: full.</summary>
    public Span<byte> Reserve()
    {
        const int needed = HeaderSize + MaxPacket;
        if (Count == 0) _head = _tail = 0;
        if (_tail >= _head)
        {
            // A header must fit behind the packet too, to say that the next one is at the beginning.
            if (_size - _tail >= needed + HeaderSize) return Room();
            if (_head < needed + 1) return default;
            Header(_tail).Due = Wrapped;
            _tail = 0;
        }

        return _head - _tail > needed ? Room() : default;
    }

    /// <summary>Takes over what was written into <see cref="Reserve"/>'s room.</summary>
    public void Commit(int length, long due)
    {
        Header(_tail) = new PacketHeader { Due = due, Length = length };
        _tail += HeaderSize + Aligned(length);
        Count++;
    }

    /// <summary>Lets go of the first packet.</summary>
    public void Remove()
    {
        _head += HeaderSize + Aligned(Header(_head).Length);
        Count--;
        if (Count > 0 && Header(_head).Due == Wrapped) _head = 0;
    }

    public void Dispose() => NativeMemory.Free(_block);

    private static int Aligned(int length) => (length + 7) & ~7;

    private Span<byte> Room() => new(_block + _tail + HeaderSize, MaxPacket);

    private ref PacketHeader Header(long at) => ref *(PacketHeader*)(_block + at);

    private struct PacketHeader
    {
        public long Due;
        public int Length;
    }
}
