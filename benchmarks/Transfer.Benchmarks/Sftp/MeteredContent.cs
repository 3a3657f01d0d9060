using System.Runtime.CompilerServices;
using Transfer.Sessions;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Benchmarks.Sftp;

/// <summary>
/// Content without end that costs nothing and lets through as much as it is told to: a transfer that goes on from one invocation to the
/// next.
/// </summary>
internal sealed class MeteredContent : IContent
{
    private readonly AsyncSignal _more = new();
    private readonly AsyncSignal _through = new();
    private long _left;

    public long? Length => 1L << 50;

    public bool CanReplay => true;

    /// <summary>Lets bytes through and waits until they are.</summary>
    public ValueTask MoveAsync(long bytes)
    {
        Release(bytes);
        return _through.WaitAsync();
    }

    /// <summary>Lets bytes through.</summary>
    public void Release(long bytes)
    {
        Interlocked.Add(ref _left, bytes);
        _more.Set();
    }

    public ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct) => PassAsync(buffer.Length, ct);

    public async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct) => await PassAsync(data.Length, ct);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<int> PassAsync(int count, CancellationToken ct)
    {
        while (Volatile.Read(ref _left) <= 0) await _more.WaitAsync();
        ct.ThrowIfCancellationRequested();
        var left = Interlocked.Add(ref _left, -count);
        if (left <= 0 && left + count > 0) _through.Set();
        return count;
    }
}
