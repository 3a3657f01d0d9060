using System.Globalization;
using System.Runtime.InteropServices;
using Transfer.Wan.Link.Packets;

namespace Transfer.Wan.Link.Tun;

/// <summary>
/// One way of the link: a thread that reads packets from one device, and writes them to the other when <see cref="WireSchedule"/> has them
/// due.
/// </summary>
internal sealed class LinkPump : IDisposable
{
    // Reads in a row before due packets are looked at.
    private const int Burst = 64;
    private const long Second = 1_000_000_000;
    private const int MonotonicClock = 1;

    // How soon a new shape, or the end, is noticed on an idle link.
    private const long LongestWait = 50_000_000;

    // Beyond it packets are dropped whatever the queue says: a link without a rate has no other bound.
    private const long MinimumRing = 64 << 20;

    private readonly TunDevice _in;
    private readonly TunDevice _out;
    private readonly int _seed;
    private readonly Thread _thread;
    private readonly byte[] _scratch = new byte[PacketRing.MaxPacket];
    private readonly SemaphoreSlim _changed = new(0);
    private LinkSettings? _next;
    private WireSchedule _schedule;
    private PacketRing _ring;
    private volatile bool _stop;
    private volatile int _threadId;

    public LinkPump(string name, TunDevice input, TunDevice output, LinkSettings settings, int seed)
    {
        _in = input;
        _out = output;
        _seed = seed;
        _schedule = Schedule(settings);
        _ring = Ring(settings);
        _thread = new Thread(Run) { IsBackground = true, Name = name, Priority = ThreadPriority.Highest };
        _thread.Start();
    }

    /// <summary>Packets written, a super-packet counting once.</summary>
    public long Packets { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Packets that the kernel refused.</summary>
    public long Refused { get; private set; }

    /// <summary>Processor time of the thread, in seconds: the first number of its schedstat, in nanoseconds.</summary>
    public double ProcessorSeconds =>
        double.Parse(File.ReadAllText($"/proc/self/task/{_threadId}/schedstat").Split(' ')[0], CultureInfo.InvariantCulture) / Second;

    /// <summary>Takes another shape. What is under way is gone.</summary>
    public async Task ReshapeAsync(LinkSettings settings)
    {
        Volatile.Write(ref _next, settings);
        await _changed.WaitAsync();
    }

    public void Dispose()
    {
        _stop = true;
        _thread.Join();
        _ring.Dispose();
        _changed.Dispose();
    }

    private static PacketRing Ring(LinkSettings settings) =>
        new(Math.Max(MinimumRing,
            (2 * settings.Queue) + (long)(settings.Shape.Rate * 125 * (settings.Shape.RoundTrip + (2 * settings.Shape.Jitter)))));

    private static unsafe long Now()
    {
        LibC.TimeSpec time;
        _ = LibC.GetTime(MonotonicClock, &time);
        return (time.Seconds * Second) + time.Nanoseconds;
    }

    private WireSchedule Schedule(LinkSettings settings) => new(settings.Shape, settings.Queue, _seed);

    private void Run()
    {
        _threadId = LibC.ThreadId();
        // Both are for exact times, and both may be refused where root is not really root: the link then is a little late.
        _ = LibC.SetScheduler(0, LibC.RoundRobin, priority: 10);
        _ = LibC.ProcessControl(LibC.TimerSlack, 1, 0, 0, 0);
        while (!_stop)
        {
            if (Interlocked.Exchange(ref _next, null) is { } next) Change(next);
            Deliver(Now());
            if (Take()) continue;
            Wait();
        }
    }

    private void Change(LinkSettings settings)
    {
        _ring.Dispose();
        _ring = Ring(settings);
        _schedule = Schedule(settings);
        _changed.Release();
    }

    /// <summary>Writes what is due.</summary>
    private unsafe void Deliver(long now)
    {
        while (!_ring.IsEmpty && _ring.Due <= now)
        {
            var packet = _ring.First;
            nint written;
            fixed (byte* bytes = packet) written = LibC.Write(_out.File, bytes, packet.Length);
            if (written < 0 && Marshal.GetLastPInvokeError() == LibC.TryAgain) return;
            if (written < 0)
            {
                Refused++;
            }
            else
            {
                Packets++;
                Bytes += packet.Length - VirtioHeader.Size;
            }

            _ring.Remove();
        }
    }

    /// <summary>Reads what is there; true: there may be more.</summary>
    private unsafe bool Take()
    {
        for (var i = 0; i < Burst; i++)
        {
            var room = _ring.Reserve();
            var isFull = room.IsEmpty;
            if (isFull) room = _scratch;
            nint length;
            fixed (byte* bytes = room) length = LibC.Read(_in.File, bytes, room.Length);
            if (length <= 0) return false;
            if (!isFull) Admit(room[..(int)length]);
        }

        return true;
    }

    private void Admit(Span<byte> packet)
    {
        var super = new SuperPacket(packet);
        var segments = super.Segments;
        var now = Now();
        var first = 0;
        long due = 0;
        var isWhole = true;
        for (var segment = 0; segment < segments; segment++)
        {
            var arrival = _schedule.Admit(now, super.WireBytes(segment));
            if (arrival != WireSchedule.Lost)
            {
                due = arrival;
                continue;
            }

            if (isWhole)
            {
                // The runs are written where it lies.
                packet.CopyTo(_scratch);
                super = new SuperPacket(_scratch.AsSpan(0, packet.Length));
                isWhole = false;
            }

            Pass(super, first, segment, due);
            first = segment + 1;
        }

        if (isWhole) _ring.Commit(packet.Length, due);
        else Pass(super, first, segments, due);
    }

    private void Pass(SuperPacket super, int first, int end, long due)
    {
        if (first >= end) return;
        var room = _ring.Reserve();
        if (!room.IsEmpty) _ring.Commit(super.Cut(first, end, room), due);
    }

    private unsafe void Wait()
    {
        var wait = LongestWait;
        if (!_ring.IsEmpty) wait = Math.Clamp(_ring.Due - Now(), 0, LongestWait);
        var timeout = new LibC.TimeSpec { Nanoseconds = (nint)wait };
        var entry = new LibC.PollEntry { File = _in.File, Events = LibC.PollIn };
        _ = LibC.Poll(&entry, 1, &timeout, 0);
    }
}
