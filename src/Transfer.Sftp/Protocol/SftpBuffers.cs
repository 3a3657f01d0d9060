using System.Buffers;

namespace Transfer.Sftp.Protocol;

/// <summary>
/// Buffers for contents. The shared pool keeps only few arrays of a request's size, and hundreds may be in use: those are kept here,
/// for one session.
/// </summary>
internal sealed class SftpBuffers
{
    private const int Large = SftpFraming.MaxPacket;
    private const int FromHereLarge = 48 * 1024;
    private const int MostKept = 128;

    private readonly Lock _gate = new();
    private readonly Stack<byte[]> _kept = new(MostKept);

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
            if (_kept.Count < MostKept) _kept.Push(buffer);
        }
    }

    /// <summary>Keeps no more than a few: the work is done.</summary>
    public void Trim()
    {
        lock (_gate)
        {
            while (_kept.Count > 2) _kept.Pop();
            _kept.TrimExcess();
        }
    }
}
