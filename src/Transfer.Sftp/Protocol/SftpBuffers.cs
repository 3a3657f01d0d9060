using System.Buffers;
using System.Numerics;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Buffers for contents. The shared pool keeps only few arrays of a request's size, and hundreds may be in use: those are kept here,
/// for all sessions of a client together, so that what is kept and what is used is never more than what was used once.
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

    /// <param name="bytes">What may be kept.</param>
    /// <param name="segments">What the contents come in.</param>
    public SftpBuffers(long bytes, SegmentPool segments)
    {
        _mostKept = bytes / Large;
        _segments = segments;
    }

    /// <summary>How long the buffer for so many bytes is.</summary>
    public static int SizeFor(int length) => length > FromHereLarge ? Large : (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(16, length));

    /// <summary>A session begins to work.</summary>
    public void Enter()
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

    /// <summary>Its work is done: the last one keeps no more than a few.</summary>
    public void Leave()
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
