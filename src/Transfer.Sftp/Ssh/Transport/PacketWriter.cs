using System.Buffers.Binary;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Ciphers;

namespace Transfer.Sftp.Ssh.Transport;

/// <summary>
/// The one writer of a connection. Whoever sends seals into a shared buffer; one task moves it to the socket, and what was sealed while it wrote leaves
/// together in the next write. Data is refused while that buffer is full or keys are being exchanged, and its sender is told when to try again; the small
/// messages that run the connection always find room.
/// </summary>
internal sealed class PacketWriter(Stream stream, Action keysAreUsedUp) : IDisposable
{
    private const int DataHeaderSize = 9;

    private readonly Lock _gate = new();
    private readonly SendBuffer _buffer = new();
    private readonly AsyncSignal _work = new();
    private readonly List<ISendWaiter> _waiters = [];
    private readonly Queue<(byte[] Payload, int HideIn)> _held = [];
    private int _heldBytes;
    private bool _exchanging;
    private bool _dueTold;
    private Exception? _failure;

    public ulong RekeyAfterBytes { get; init; } = ulong.MaxValue;

    public ulong RekeyAfterPackets { get; init; } = ulong.MaxValue;

    /// <summary>The keys have done what they may.</summary>
    public bool KeysAreUsedUp
    {
        get
        {
            lock (_gate)
                return _buffer.BytesSinceKeys >= RekeyAfterBytes || _buffer.PacketsSinceKeys >= RekeyAfterPackets;
        }
    }

    /// <summary>The version line: it leaves before any packet.</summary>
    public void SendRaw(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
            _buffer.AddRaw(bytes);
        _work.Set();
    }

    /// <summary>Sends a message of the layers above the transport; it waits while keys are exchanged (RFC 4253 section 7.1).</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: too much waits that the peer does not read.</exception>
    public void Send(ReadOnlySpan<byte> payload, int hideIn = 0)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            if (_buffer.Count + _heldBytes > PacketLimits.MaxBacklog)
                throw new TransferException(TransferError.Protocol, "The server asks for more than it takes answers for.");
            if (_exchanging)
            {
                _held.Enqueue((payload.ToArray(), hideIn));
                _heldBytes += payload.Length;
                return;
            }

            _buffer.AddPacket(payload, [], hideIn);
        }

        _work.Set();
    }

    /// <summary>Sends a message of the transport, which may leave at any time.</summary>
    public void SendNow(ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            _buffer.AddPacket(payload, []);
        }

        _work.Set();
    }

    /// <summary>Sends channel data; false when there is no room, and then the sender is told later.</summary>
    public bool TrySendData(uint channel, ReadOnlySpan<byte> data, ISendWaiter waiter)
    {
        Span<byte> head = stackalloc byte[DataHeaderSize];
        head[0] = MessageNumber.ChannelData;
        BinaryPrimitives.WriteUInt32BigEndian(head[1..], channel);
        BinaryPrimitives.WriteInt32BigEndian(head[5..], data.Length);
        bool due;
        lock (_gate)
        {
            if (_failure is not null || _exchanging || _buffer.Count + DataHeaderSize + data.Length + PacketLimits.MaxOverhead > PacketLimits.WriteBuffer)
            {
                if (_failure is null && !_waiters.Contains(waiter)) _waiters.Add(waiter);
                return false;
            }

            _buffer.AddPacket(head, data);
            due = !_dueTold && (_buffer.BytesSinceKeys >= RekeyAfterBytes || _buffer.PacketsSinceKeys >= RekeyAfterPackets);
            _dueTold |= due;
        }

        _work.Set();
        if (due) keysAreUsedUp();
        return true;
    }

    /// <summary>Sends our KEXINIT; from here on only the transport's messages leave.</summary>
    public void BeginExchange(ReadOnlySpan<byte> kexInit)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            _exchanging = true;
            _buffer.AddPacket(kexInit, []);
        }

        _work.Set();
    }

    /// <summary>Sends NEWKEYS, uses the new keys, then sends <paramref name="first"/> and all that waited for them.</summary>
    public void EndExchange(PacketCipher cipher, bool resetSequence, ReadOnlySpan<byte> first)
    {
        lock (_gate)
        {
            if (_failure is not null)
            {
                cipher.Dispose();
                return;
            }

            _buffer.AddPacket([MessageNumber.NewKeys], []);
            _buffer.ChangeKeys(cipher, resetSequence);
            if (!first.IsEmpty) _buffer.AddPacket(first, []);
            while (_held.TryDequeue(out var held))
            {
                _buffer.AddPacket(held.Payload, [], held.HideIn);
                CryptographicOperations.ZeroMemory(held.Payload);
            }

            _heldBytes = 0;
            _exchanging = false;
            _dueTold = false;
        }

        _work.Set();
        WakeWaiters();
    }

    /// <summary>Moves what is sealed to the socket until <see cref="Fail"/>.</summary>
    public async Task RunAsync()
    {
        while (true)
        {
            ReadOnlyMemory<byte> sealedPackets;
            lock (_gate)
            {
                if (_failure is not null && _buffer.Count == 0) return;
                sealedPackets = _buffer.Take();
            }

            if (sealedPackets.IsEmpty)
            {
                await _work.WaitAsync().ConfigureAwait(false);
                continue;
            }

            WakeWaiters();
            await stream.WriteAsync(sealedPackets).ConfigureAwait(false);
        }
    }

    /// <summary>Nobody sends any more, and everybody who waits is woken to see why; what is sealed still leaves, and <paramref name="lastWords"/> behind it.</summary>
    public void Fail(Exception reason, ReadOnlySpan<byte> lastWords)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            _failure = reason;
            if (!lastWords.IsEmpty) _buffer.AddPacket(lastWords, []);
        }

        _work.Set();
        WakeWaiters();
    }

    /// <summary>Gives the buffers back; the writing task must have ended.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _failure ??= new ObjectDisposedException(nameof(PacketWriter));
            _buffer.Dispose();
        }
    }

    private void WakeWaiters()
    {
        while (true)
        {
            ISendWaiter waiter;
            lock (_gate)
            {
                if (_waiters.Count == 0) return;
                waiter = _waiters[^1];
                _waiters.RemoveAt(_waiters.Count - 1);
            }

            waiter.TrySendAgain();
        }
    }
}
