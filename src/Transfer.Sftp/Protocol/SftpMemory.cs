using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Bounds the bytes of content that all sessions of a client hold in memory. Each session has room for one request of its own, so that
/// none ever waits for another; the rest is shared, in equal parts of at least one request, among the sessions with content in flight.
/// Thread-safe.
/// </summary>
internal sealed class SftpMemory
{
    // The least length of requests where the memory is small.
    private const int LeastRequest = 4096;

    private readonly Lock _gate = new();
    private readonly long _common;
    private readonly int _floor;
    private long _used;
    private long _peak;
    private long _taken;
    private int _active;

    /// <param name="bytes">The bytes of all sessions together.</param>
    /// <param name="sessions">The number of sessions.</param>
    /// <param name="segments">The pool of the segments that receive contents.</param>
    public SftpMemory(long bytes, int sessions, SegmentPool segments)
    {
        MostRequest = SftpFraming.MaxPacket;
        while (MostRequest > LeastRequest && SftpBuffers.SizeFor(MostRequest) > bytes / sessions) MostRequest /= 2;
        _floor = SftpBuffers.SizeFor(MostRequest);
        _common = Math.Max(0, bytes - (long)_floor * sessions);
        Buffers = new SftpBuffers(bytes, segments);
    }

    /// <summary>
    /// The part of <see cref="TransferClientOptions.MaxBufferBytes"/> for contents in flight; the rest belongs to the engine.
    /// </summary>
    public static SftpMemory Of(TransferClientOptions options, SegmentPool segments) =>
        new(options.MaxBufferBytes - options.MaxBufferBytes / 8, options.MaxSessions, segments);

    /// <summary>The buffers themselves.</summary>
    public SftpBuffers Buffers { get; }

    /// <summary>Most bytes of one request.</summary>
    public int MostRequest { get; }

    /// <summary>The bytes in buffers, now and at their peak.</summary>
    public (long Now, long Peak) Used
    {
        get { lock (_gate) return (_used, _peak); }
    }

    /// <summary>Opens one session's part.</summary>
    public Share Join() => new(this);

    /// <summary>One session's part of the memory.</summary>
    public sealed class Share(SftpMemory memory)
    {
        private long _used;
        private bool _left;

        /// <summary>Takes room for a request.</summary>
        /// <param name="bytes">The length of the content.</param>
        /// <param name="insists">Whether the session has nothing else in flight, so that a refusal would have no end.</param>
        public bool TryTake(int bytes, bool insists)
        {
            var size = SftpBuffers.SizeFor(bytes);
            lock (memory._gate)
            {
                if (_left) return true;
                var shared = Shared(_used + size);
                var more = shared - Shared(_used);
                var active = memory._active + (_used == 0 ? 1 : 0);
                if (!insists && more > 0
                    && (memory._taken + more > memory._common || shared > Math.Max(memory._common / active, memory._floor)))
                {
                    return false;
                }

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

        /// <summary>Returns all bytes of a session that has ended.</summary>
        public void ReleaseAll()
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
