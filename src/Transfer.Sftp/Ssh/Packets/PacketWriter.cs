using System.Buffers.Binary;
using System.Net.Sockets;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Ciphers;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Packets;

/// <summary>
/// The one writer of a connection. Senders seal into a shared buffer; one pump at a time moves it to the socket, and packets sealed during
/// a write leave together in the next. Small messages are pumped by their senders, which spares a change of threads; data is pumped beside
/// the sender, which seals the next packets meanwhile. Data is refused while that buffer is full or keys are exchanged, and the sender is
/// woken when room returns; the small messages that run the connection find room up to <see cref="PacketLimits.MaxBacklog"/>: a server
/// that demands answers and reads none is cut off there.
/// </summary>
internal sealed class PacketWriter(Stream stream, Action keysAreUsedUp, Action<Exception> writeFailed) : IDisposable, IThreadPoolWorkItem
{
    private const int DataHeaderSize = 9;
    private const int SmallData = 4 * 1024;

    // An array and a place in the queue.
    private const int HeldCost = 64;

    private readonly Lock _gate = new();
    private readonly SendBuffer _buffer = new();
    private readonly List<ISendWaiter> _waiters = [];
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Queue<(byte[] Payload, int HideIn)> _held = [];
    private int _heldBytes;
    private bool _exchanging;
    private bool _dueTold;
    private bool _pumping;
    private Exception? _failure;

    public ulong RekeyAfterBytes { get; init; } = ulong.MaxValue;

    public ulong RekeyAfterPackets { get; init; } = ulong.MaxValue;

    /// <summary>Receives the number of each message sent, but for channel data.</summary>
    public Action<byte>? Sent { get; init; }

    /// <summary>Completes after <see cref="Fail"/>, when the last sealed bytes have left or cannot.</summary>
    public Task Drained => _drained.Task;

    /// <summary>Whether the keys have reached their limits.</summary>
    public bool KeysAreUsedUp
    {
        get
        {
            lock (_gate)
                return UsedUp;
        }
    }

    private bool UsedUp => _buffer.BytesSinceKeys >= RekeyAfterBytes || _buffer.PacketsSinceKeys >= RekeyAfterPackets;

    /// <summary>
    /// Adds the version line, which leaves in one write with the first packet and before it. Some servers and tools take a piece of a line
    /// for a line.
    /// </summary>
    public void AddRaw(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
            _buffer.AddRaw(bytes);
    }

    /// <summary>
    /// Sends a message of the layers above the transport; messages wait while keys are exchanged (RFC 4253 section 7.1).
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the peer has left too much unread.</exception>
    public void Send(ReadOnlySpan<byte> payload, int hideIn = 0)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            CheckBacklogLocked();
            if (_exchanging)
            {
                _held.Enqueue((payload.ToArray(), hideIn));
                _heldBytes += payload.Length + HeldCost;
                return;
            }

            AddLocked(payload, hideIn);
        }

        Pump(here: true);
    }

    /// <summary>
    /// Sends a message of the transport, which may leave at any time, also before the log-in and while keys are exchanged.
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the peer has left too much unread.</exception>
    public void SendNow(ReadOnlySpan<byte> payload)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            CheckBacklogLocked();
            AddLocked(payload);
        }

        Pump(here: true);
    }

    /// <summary>Sends channel data; false when there is no room, and the waiter is woken later.</summary>
    public bool TrySendData(uint channel, ReadOnlySpan<byte> data, ISendWaiter waiter)
    {
        Span<byte> head = stackalloc byte[DataHeaderSize];
        head[0] = MessageNumber.ChannelData;
        BinaryPrimitives.WriteUInt32BigEndian(head[1..], channel);
        BinaryPrimitives.WriteInt32BigEndian(head[5..], data.Length);
        bool taken, due;
        lock (_gate)
        {
            // Used-up keys take no more even when the exchange can't begin at once: the server's end of an earlier one may still be under
            // way.
            taken = _failure is null && !_exchanging && !UsedUp
                && _buffer.Count + DataHeaderSize + data.Length + PacketLimits.MaxOverhead <= PacketLimits.MostData;
            if (taken) _buffer.AddPacket(head, data);
            else if (_failure is null && !_waiters.Contains(waiter)) _waiters.Add(waiter);
            due = _failure is null && !_dueTold && UsedUp;
            _dueTold |= due;
        }

        if (taken) Pump(here: data.Length <= SmallData);
        if (due) keysAreUsedUp();
        return taken;
    }

    /// <summary>Sends the client's KEXINIT; from here on only the transport's messages leave.</summary>
    public void BeginExchange(ReadOnlySpan<byte> kexInit)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            _exchanging = true;
            AddLocked(kexInit);
        }

        Pump(here: true);
    }

    /// <summary>Sends NEWKEYS, uses the new keys, then sends <paramref name="first"/> and the messages held during the exchange.</summary>
    public void EndExchange(PacketCipher cipher, bool resetSequence, ReadOnlySpan<byte> first)
    {
        lock (_gate)
        {
            if (_failure is not null)
            {
                cipher.Dispose();
                return;
            }

            AddLocked([MessageNumber.NewKeys]);
            _buffer.ChangeKeys(cipher, resetSequence);
            if (!first.IsEmpty) AddLocked(first);
            while (_held.TryDequeue(out var held))
            {
                AddLocked(held.Payload, held.HideIn);
                CryptographicOperations.ZeroMemory(held.Payload);
            }

            _heldBytes = 0;
            _exchanging = false;
            _dueTold = false;
        }

        Pump(here: true);
        WakeWaiters();
    }

    /// <summary>
    /// Ends sending and wakes all waiters, which then get the reason; sealed packets still leave, and <paramref name="lastWords"/> after
    /// them.
    /// </summary>
    public void Fail(Exception reason, ReadOnlySpan<byte> lastWords)
    {
        lock (_gate)
        {
            if (_failure is not null) return;
            _failure = reason;
            if (!lastWords.IsEmpty) AddLocked(lastWords);
        }

        Pump(here: true);
        WakeWaiters();
    }

    /// <summary>Returns the buffers, after <see cref="Drained"/>.</summary>
    public void Dispose()
    {
        lock (_gate)
            _buffer.Dispose();
    }

    private void CheckBacklogLocked()
    {
        if (_buffer.Count + _heldBytes > PacketLimits.MaxBacklog)
            throw new TransferException(TransferError.Protocol, "The peer asks for more than it takes answers for.");
    }

    void IThreadPoolWorkItem.Execute() => _ = PumpAsync(here: false);

    private void Pump(bool here)
    {
        lock (_gate)
        {
            if (_pumping) return;
            if (_buffer.Count == 0)
            {
                if (_failure is not null) _drained.TrySetResult();
                return;
            }

            _pumping = true;
        }

        if (here) _ = PumpAsync(here: true);
        else ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>
    /// Moves sealed packets to the socket until none is left; on a sender's thread only once, so that the data of other senders does not
    /// keep it busy.
    /// </summary>
    private async Task PumpAsync(bool here)
    {
        while (true)
        {
            ReadOnlyMemory<byte> sealedPackets;
            lock (_gate)
            {
                sealedPackets = _buffer.Take();
                if (sealedPackets.IsEmpty)
                {
                    _pumping = false;
                    if (_failure is not null) _drained.TrySetResult();
                    return;
                }
            }

            WakeWaiters();
            try
            {
                await stream.WriteAsync(sealedPackets).ConfigureAwait(false);
            }
            catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
            {
                // _pumping stays set: no more writes.
                _drained.TrySetResult();
                writeFailed(e);
                return;
            }

            if (!here) continue;
            lock (_gate)
            {
                if (_buffer.Count > 0)
                {
                    ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
                    return;
                }
            }
        }
    }

    private void AddLocked(ReadOnlySpan<byte> payload, int hideIn = 0)
    {
        _buffer.AddPacket(payload, [], hideIn);
        Sent?.Invoke(payload[0]);
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
