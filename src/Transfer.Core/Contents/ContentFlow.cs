using System.Runtime.CompilerServices;
using Transfer.Handles;

namespace Transfer.Contents;

/// <summary>The brakes on content: a rate limit, which jobs share, and the pause of one job. Every read and write of content passes
/// here.</summary>
internal sealed class ContentFlow
{
    private readonly RateLimit? _limit;
    private readonly JobPause? _pause;
    private readonly StrongBox<int> _held; // counted for all that share the limit

    private ContentFlow(RateLimit? limit, JobPause? pause, StrongBox<int> held) => (_limit, _pause, _held) = (limit, pause, held);

    /// <summary>Whether the job is paused, so that nothing may begin now.</summary>
    public bool IsPaused => _pause is { IsPaused: true };

    /// <summary>Whether content may move uncounted now: no limit, no pause.</summary>
    public bool IsUnthrottled => !IsLimited && !IsPaused;

    /// <summary>Whether there is a limit now, which may be the reason why little moves.</summary>
    public bool IsLimited => _limit is { IsOff: false };

    /// <summary>Whether content waits here: then the server is not the reason why nothing moves.</summary>
    public bool IsWaiting => IsPaused || Volatile.Read(ref _held.Value) > 0;

    /// <summary>The most bytes that are admitted together.</summary>
    public int MostAtOnce => _limit?.MostAtOnce ?? int.MaxValue;

    /// <summary>Creates a flow with a rate limit, or one that changes; both null: no limit.</summary>
    public static ContentFlow Of(long? bytesPerSecond, RateSchedule? schedule, TimeProvider time)
    {
        var limit = schedule is not null ? new RateLimit(schedule, time)
            : bytesPerSecond is { } rate ? new RateLimit(rate, time) : null;
        return new ContentFlow(limit, pause: null, new StrongBox<int>());
    }

    /// <summary>The flow of one job, under the same limit.</summary>
    public ContentFlow Of(JobPause pause) => new(_limit, pause, _held);

    /// <summary>Ends as soon as nothing is paused.</summary>
    public Task WhenResumedAsync(CancellationToken ct) => _pause?.WhenResumed.WaitAsync(ct) ?? Task.CompletedTask;

    /// <summary>Waits until a number of bytes may move.</summary>
    public ValueTask AdmitAsync(int bytes, CancellationToken ct) => IsUnthrottled ? default : HoldAsync(bytes, ct);

    /// <summary>Gives back bytes that were admitted and did not move; negative: more moved.</summary>
    public void Return(int bytes) => _limit?.Return(bytes);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask HoldAsync(int bytes, CancellationToken ct)
    {
        Interlocked.Increment(ref _held.Value);
        try
        {
            while (true)
            {
                while (IsPaused) await WhenResumedAsync(ct).ConfigureAwait(false);
                if (_limit is null) return;
                await _limit.TakeAsync(bytes, ct).ConfigureAwait(false);
                if (!IsPaused) return;
                _limit.Return(bytes);
            }
        }
        finally
        {
            Interlocked.Decrement(ref _held.Value);
        }
    }
}
