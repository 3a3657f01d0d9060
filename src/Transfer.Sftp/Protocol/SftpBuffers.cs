using System.Buffers;
using System.Numerics;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Buffers for contents. The shared pool keeps only few arrays of a request's size, and hundreds may be in use: this pool keeps them for
/// all sessions of a client, so that buffers kept and in use together never exceed the peak of use.
/// </summary>
internal sealed class SftpBuffers
{
    private const int Large = SftpFraming.MaxPacket;
    private const int FromHereLarge = 48 * 1024;

    private readonly Lock _gate = new();
    private readonly Stack<byte[]> _kept = new();
    private readonly long _mostKept;
    private readonly SegmentPool _segments;
    private int _users;

    /// <param name="bytes">The most bytes kept.</param>
    /// <param name="segments">The pool of the segments that receive contents.</param>
    public SftpBuffers(long bytes, SegmentPool segments)
    {
        _mostKept = bytes / Large;
        _segments = segments;
    }

    /// <summary>The size of the buffer for a length.</summary>
    public static int SizeFor(int length) =>
        length > FromHereLarge ? Large : (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(16, length));

    /// <summary>Counts a session as a user of the pool.</summary>
    public void AddUser()
    {
        lock (_gate) _users++;
    }

    /// <summary>A buffer of at least that length, <see cref="SftpFraming.MaxPacket"/> at most.</summary>
    public byte[] Rent(int length)
    {
        if (length <= FromHereLarge) return ArrayPool<byte>.Shared.Rent(length);
        lock (_gate)
        {
            if (_kept.TryPop(out var kept)) return kept;
        }
        return GC.AllocateUninitializedArray<byte>(Large);
    }

    public void Return(byte[]? buffer)
    {
        if (buffer is null) return;
        if (buffer.Length != Large)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            return;
        }
        lock (_gate)
        {
            if (_kept.Count < _mostKept) _kept.Push(buffer);
        }
    }

    /// <summary>Ends a session's use; after the last one only a few buffers are kept.</summary>
    public void RemoveUser()
    {
        lock (_gate)
        {
            if (--_users > 0) return;
            while (_kept.Count > 2) _kept.Pop();
            _kept.TrimExcess();
            _segments.Trim();
        }
    }
}
