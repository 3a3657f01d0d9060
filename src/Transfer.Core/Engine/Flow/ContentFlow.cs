using System.Runtime.CompilerServices;

namespace Transfer.Engine.Flow;

/// <summary>What holds a client's content back: its rate limit, and its pause. Every read and write of content passes here.</summary>
internal sealed class ContentFlow
{
    private readonly RateLimit? _limit;
    private readonly TransferPause? _pause;
    private int _held;

    private ContentFlow(RateLimit? limit, TransferPause? pause)
    {
        _limit = limit;
        _pause = pause;
    }

    /// <summary>Nothing may begin now.</summary>
    public bool IsPaused => _pause is { IsPaused: true };

    /// <summary>There is a limit: that little moves may be its doing.</summary>
    public bool IsLimited => _limit is not null;

    /// <summary>Something waits here and nowhere else: that nothing moves is nobody's fault.</summary>
    public bool IsHolding => IsPaused || Volatile.Read(ref _held) > 0;

    /// <summary>Most bytes that are let through together.</summary>
    public int MostAtOnce => _limit?.MostAtOnce ?? int.MaxValue;

    /// <summary>Null where the options hold nothing back, so that it costs nothing.</summary>
    public static ContentFlow? Create(TransferClientOptions options)
    {
        return options is { MaxBytesPerSecond: null, Pause: null }
            ? null
            : new ContentFlow(options.MaxBytesPerSecond is { } rate ? new RateLimit(rate, options.TimeProvider) : null, options.Pause);
    }

    /// <summary>A rate limit alone.</summary>
    public static ContentFlow Of(long bytesPerSecond, TimeProvider time) => new(new RateLimit(bytesPerSecond, time), pause: null);

    /// <summary>Ends as soon as nothing is paused.</summary>
    public Task WhenRunningAsync(CancellationToken ct) => _pause?.WhenRunning.WaitAsync(ct) ?? Task.CompletedTask;

    /// <summary>Waits until so many bytes may move.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask AdmitAsync(int bytes, CancellationToken ct)
    {
        Interlocked.Increment(ref _held);
        try
        {
            while (true)
            {
                while (IsPaused) await WhenRunningAsync(ct).ConfigureAwait(false);
                if (_limit is null) return;
                await _limit.TakeAsync(bytes, ct).ConfigureAwait(false);
                if (!IsPaused) return;
                _limit.Return(bytes);
            }
        }
        finally
        {
            Interlocked.Decrement(ref _held);
        }
    }

    /// <summary>Less was moved than was admitted, or more (negative).</summary>
    public void Return(int bytes) => _limit?.Return(bytes);
}
