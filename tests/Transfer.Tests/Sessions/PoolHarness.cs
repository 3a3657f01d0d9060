using Transfer.Pooling;
using Transfer.Sessions;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sessions;

/// <summary>A pool whose openings the test ends one by one, and whose clock it moves.</summary>
internal sealed class PoolHarness
{
    public static readonly TimeSpan Lifetime = TimeSpan.FromSeconds(30);

    private readonly List<TaskCompletionSource<TransferSession>> _openings = [];

    /// <param name="maxSessions">Most sessions.</param>
    /// <param name="limits">Where the server's limit is remembered; null: nowhere.</param>
    /// <param name="clock">The clock; null: one of its own.</param>
    public PoolHarness(int maxSessions = 8, LimitsFile? limits = null, ManualTime? clock = null)
    {
        Clock = clock ?? new ManualTime();
        Pool = new SessionPool(maxSessions, Lifetime, OpenAsync, e => e.ServerCode == 421, new RetryOptions(), Logger, Clock)
        {
            Memory = limits is null ? null : new LimitMemory(limits, new(Key), Clock),
        };
    }

    /// <summary>The server and its user.</summary>
    public static string Key { get; } = LimitsFile.KeyOf(new Uri("ftp://host/"), "user");

    public SessionPool Pool { get; }

    public ManualTime Clock { get; }

    public RecordingLogger Logger { get; } = new();

    public CancellationToken OpeningToken { get; private set; }

    /// <summary>How many sessions the pool has asked for so far.</summary>
    public int Attempts
    {
        get
        {
            lock (_openings) return _openings.Count;
        }
    }

    public static TransferException Refusal => new(TransferError.Denied, "421 Too many connections") { ServerCode = 421 };

    public Task<SessionLease> Lease(CancellationToken ct = default) => Pool.LeaseAsync(ct).AsTask();

    /// <summary>Asks for a session and waits until its opening runs.</summary>
    public async Task<Task<SessionLease>> LeaseAndOpenAsync(CancellationToken ct = default)
    {
        var attempts = Attempts;
        var lease = Lease(ct);
        await AttemptsAsync(attempts + 1);
        return lease;
    }

    public Task AttemptsAsync(int count) => Eventually.TrueAsync(() => Attempts >= count, $"{count} openings");

    /// <summary>Ends an opening well.</summary>
    public PoolSession Succeed(int opening, PoolSession? session = null)
    {
        session ??= new PoolSession();
        lock (_openings) _openings[opening].SetResult(session);
        return session;
    }

    public void Fail(int opening, Exception error)
    {
        lock (_openings) _openings[opening].SetException(error);
    }

    /// <summary>Borrows, opening one more session.</summary>
    public async Task<SessionLease> LeaseNewAsync(PoolSession? session = null)
    {
        var lease = await LeaseAndOpenAsync();
        Succeed(Attempts - 1, session);
        return await lease.WaitAsync(Eventually.Hang);
    }

    private ValueTask<TransferSession> OpenAsync(Func<WorkKind?> expected, CancellationToken ct)
    {
        OpeningToken = ct;
        var opening = new TaskCompletionSource<TransferSession>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_openings) _openings.Add(opening);
        return new ValueTask<TransferSession>(opening.Task);
    }
}
