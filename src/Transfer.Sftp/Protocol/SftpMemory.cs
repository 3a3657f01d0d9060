using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// The bytes of content that all sessions of a client may have in memory at once. Each of them has room for one request of its own, so that none ever waits
/// for another; what is left is shared, in equal parts of at least one request among those that have something on its way. Thread-safe.
/// </summary>
internal sealed class SftpMemory
{
    // What a request is cut to where the room is small.
    private const int LeastRequest = 4096;

    private readonly Lock _gate = new();
    private readonly long _common;
    private readonly int _floor;
    private long _used;
    private long _peak;
    private long _taken;
    private int _active;

    /// <param name="bytes">All there is, for</param>
    /// <param name="sessions">that many sessions.</param>
    /// <param name="segments">What the contents come in.</param>
    public SftpMemory(long bytes, int sessions, SegmentPool segments)
    {
        MostRequest = SftpFraming.MaxPacket;
        while (MostRequest > LeastRequest && SftpBuffers.SizeFor(MostRequest) > bytes / sessions) MostRequest /= 2;
        _floor = SftpBuffers.SizeFor(MostRequest);
        _common = Math.Max(0, bytes - (long)_floor * sessions);
        Buffers = new SftpBuffers(bytes, segments);
    }

    /// <summary>The part of <see cref="TransferClientOptions.MaxBufferBytes"/> that is left for contents on their way; the rest is the engine's.</summary>
    public static SftpMemory Of(TransferClientOptions options, SegmentPool segments) => new(options.MaxBufferBytes - options.MaxBufferBytes / 8, options.MaxSessions, segments);

    /// <summary>The buffers themselves.</summary>
    public SftpBuffers Buffers { get; }

    /// <summary>Most bytes of one request.</summary>
    public int MostRequest { get; }

    /// <summary>Bytes in buffers, and the most that there have been.</summary>
    public (long Now, long Peak) Used
    {
        get { lock (_gate) return (_used, _peak); }
    }

    /// <summary>One session's part.</summary>
    public Share Join() => new(this);

    /// <summary>What one session has of it.</summary>
    public sealed class Share(SftpMemory memory)
    {
        private long _used;
        private bool _left;

        /// <summary>Takes room for a request.</summary>
        /// <param name="bytes">Its content.</param>
        /// <param name="insists">The session has nothing else on its way, and would wait for ever.</param>
        public bool TryTake(int bytes, bool insists)
        {
            var size = SftpBuffers.SizeFor(bytes);
            lock (memory._gate)
            {
                if (_left) return true;
                var shared = Shared(_used + size);
                var more = shared - Shared(_used);
                var active = memory._active + (_used == 0 ? 1 : 0);
                if (!insists && more > 0 && (memory._taken + more > memory._common || shared > Math.Max(memory._common / active, memory._floor))) return false;
                memory._active = active;
                memory._taken += more;
                memory._used += size;
                memory._peak = Math.Max(memory._peak, memory._used);
                _used += size;
                return true;
            }
        }

        public void Return(int bytes)
        {
            var size = SftpBuffers.SizeFor(bytes);
            lock (memory._gate)
            {
                if (_left) return;
                memory._taken -= Shared(_used) - Shared(_used - size);
                memory._used -= size;
                _used -= size;
                if (_used == 0) memory._active--;
            }
        }

        /// <summary>The session is over: what it had is gone with it.</summary>
        public void Leave()
        {
            lock (memory._gate)
            {
                if (_left) return;
                _left = true;
                memory._taken -= Shared(_used);
                memory._used -= _used;
                if (_used > 0) memory._active--;
            }
        }

        private long Shared(long used) => Math.Max(0, used - memory._floor);
    }
}
