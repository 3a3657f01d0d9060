using System.Buffers;
using System.Numerics;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Buffers for contents. The shared pool keeps only few arrays of a size, and hundreds may be in use, which would outlive the collector's
/// young generations: this pool keeps them for all sessions of a client. Of one size, buffers kept and in use never exceed the peak of use.
/// </summary>
internal sealed class SftpBuffers
{
    private const int Large = SftpFraming.MaxPacket;
    private const int FromHereLarge = 48 * 1024;

    // Smaller ones cost less than keeping them.
    private const int Least = 4 * 1024;

    // Of each size.
    private const int MostIdle = 2;

    private readonly Lock _gate = new();
    private readonly Stack<byte[]>?[] _kept = new Stack<byte[]>?[BitOperations.Log2(Large) + 1]; // by the logarithm of the size
    private readonly long _mostKept;
    private readonly SegmentPool _segments;
    private long _bytesKept;
    private int _users;

    /// <param name="bytes">The most bytes kept.</param>
    /// <param name="segments">The pool of the segments that receive contents.</param>
    public SftpBuffers(long bytes, SegmentPool segments)
    {
        _mostKept = bytes;
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
        var size = SizeFor(length);
        if (size < Least) return ArrayPool<byte>.Shared.Rent(length);
        lock (_gate)
        {
            if (_kept[BitOperations.Log2((uint)size)] is { } some && some.TryPop(out var kept))
            {
                _bytesKept -= size;
                return kept;
            }
        }
        return GC.AllocateUninitializedArray<byte>(size);
    }

    public void Return(byte[]? buffer)
    {
        if (buffer is null) return;
        if (buffer.Length < Least)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            return;
        }
        lock (_gate)
        {
            if (_bytesKept + buffer.Length > _mostKept) return;
            (_kept[BitOperations.Log2((uint)buffer.Length)] ??= new()).Push(buffer);
            _bytesKept += buffer.Length;
        }
    }

    /// <summary>Ends a session's use; after the last one only a few buffers are kept.</summary>
    public void RemoveUser()
    {
        lock (_gate)
        {
            if (--_users > 0) return;
            foreach (var some in _kept)
            {
                while (some?.Count > MostIdle) _bytesKept -= some.Pop().Length;
                some?.TrimExcess();
            }
            _segments.Trim();
        }
    }
}
