using Microsoft.Extensions.Logging;
using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Segments;
using Transfer.Listings;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>What a client's operations and jobs share: its pool, clock, log, and the end of its life.</summary>
internal sealed class ClientEngine : IAsyncDisposable
{
    // For jobs that are still cleaning up when their client is disposed.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);

    private static long _clients;

    private readonly CancellationTokenSource _closing = new();
    private readonly TaskCompletionSource _idle = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _gate = new();
    private readonly Func<int> _usualSessions;
    private readonly Lazy<JournalDirectory?> _journals;
    private readonly string? _user;
    private int _running;
    private bool _disposed;
    private bool _findsNamesFree = true;

    /// <param name="endpoint">The server.</param>
    /// <param name="options">The client's.</param>
    /// <param name="usualSessions">See <see cref="UsualSessions"/>; asked when it is first needed.</param>
    /// <param name="open">Opens a session; its first argument tells what is expected to be the first work.</param>
    /// <param name="isSessionLimit">Tells whether a session that was refused means that there may be no more.</param>
    /// <param name="user">Who logs in, if that is known.</param>
    public ClientEngine(
        Uri endpoint,
        TransferClientOptions options,
        Func<int> usualSessions,
        Func<Func<WorkKind?>, CancellationToken, ValueTask<TransferSession>> open,
        Func<TransferException, bool> isSessionLimit,
        string? user = null)
    {
        Listings = new ListingBudget(options.MaxListingBytes);
        LocalListings = new ListingBudget(options.MaxListingBytes);
        Endpoint = endpoint;
        Meter = new ServerMeter(endpoint);
        Time = options.TimeProvider;
        MaxSessions = options.MaxSessions;
        _usualSessions = usualSessions;
        _user = user;
        _journals = new(() => options.JournalDirectory is { } directory ? new JournalDirectory(directory, Time) : JournalDirectory.OfUser());
        IdleTimeout = options.IdleTimeout;
        LogInTimeout = options.LogInTimeout;
        Flow = ContentFlow.Of(options.MaxBytesPerSecond, options.TimeProvider);
        // The rest is the sessions'.
        ReadAhead = new ByteBudget(options.MaxBufferBytes / 8, reserved: 0);
        Logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Engine");
        var poolLogger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Sessions");
        Pool = new SessionPool(options.MaxSessions, options.SessionLifetime, open, isSessionLimit, options.Retry, poolLogger, Time)
        {
            IsHeld = () => Scheduler!.HasPaused,
            Memory = options.LimitsFile is { } path ? new LimitMemory(new LimitsFile(LocalPath.Full(path), Time, poolLogger), new(() => LimitsFile.KeyOf(endpoint, user)), Time) : null,
        };
        Probe = new SegmentProbe(Pool, Logger, Time);
        Closing = _closing.Token;
        Leftovers = new Leftovers(Pool, IdleTimeout, Logger, Time, Closing);
        Pool.LeftBehind = Leftovers.Add;
        Scheduler = new Scheduler(Pool, MaxSessions, () => UsualSessions, Lanes, Logger, Time, Closing);
        Looks = new LookLine(paths => Scheduler.ControlAsync((session, ct) => session.GetEntriesAsync(paths(), ct), retry: true, Closing));
        Lengths = new LookLine(paths => Scheduler.ControlAsync((session, ct) => LengthLook.GetAllAsync(session, paths(), ct), retry: true, Closing));
        TransferDiagnostics.Observe(Pool, endpoint);
    }

    /// <summary>The server and the folder that paths start from, without a password.</summary>
    public Uri Endpoint { get; }

    /// <summary>Where this server's bytes and operations are counted.</summary>
    public ServerMeter Meter { get; }

    /// <summary>
    /// The number of the client in this process. Where clients wait for each other's sessions, it decides who waits, so that none do in a
    /// circle.
    /// </summary>
    public long Order { get; } = Interlocked.Increment(ref _clients);

    public SessionPool Pool { get; }

    /// <summary>Gives the files of all jobs to the sessions.</summary>
    public Scheduler Scheduler { get; }

    /// <summary>Looks at paths, together for all who want to look at one at the same time.</summary>
    public LookLine Looks { get; }

    /// <summary>The same for files whose lengths are wanted: see <see cref="LengthLook"/>.</summary>
    public LookLine Lengths { get; }

    /// <summary>
    /// Whether the last single file that was not to replace another had its name free. As long as that is so, the looks at such files ride beside their content; else content
    /// would be sent in vain.
    /// </summary>
    public bool FindsNamesFree
    {
        get => Volatile.Read(ref _findsNamesFree);
        set => Volatile.Write(ref _findsNamesFree, value);
    }

    /// <summary>What lost sessions have left at the server.</summary>
    public Leftovers Leftovers { get; }

    public ILogger Logger { get; }

    public TimeProvider Time { get; }

    public int MaxSessions { get; }

    /// <summary>Sessions that a job gets at most by itself, but for the segments of a large file.</summary>
    public int UsualSessions => Math.Clamp(_usualSessions(), 1, MaxSessions);

    /// <summary>See <see cref="TransferClient.DividesUploads"/>.</summary>
    public Func<bool> DividesUploads { get; init; } = static () => true;

    /// <summary>Whether the server takes them all the same.</summary>
    public SegmentProbe Probe { get; }

    public TimeSpan IdleTimeout { get; }

    public TimeSpan LogInTimeout { get; }

    /// <summary>Room for what lies between two sessions of a copy, or between a session and an application's stream.</summary>
    public ByteBudget ReadAhead { get; }

    /// <summary>The rate limit.</summary>
    public ContentFlow Flow { get; }

    /// <summary>Room for what the server's listings have named.</summary>
    public ListingBudget Listings { get; }

    /// <summary>As much for local folders: a folder of a million files can be compared with its like.</summary>
    public ListingBudget LocalListings { get; }

    /// <summary>Which sessions move what.</summary>
    public LaneBoard Lanes { get; } = new();

    /// <summary>Fires when the client is disposed.</summary>
    public CancellationToken Closing { get; }

    /// <summary>The error of a call after the client was disposed of. Callers know the client by its public name.</summary>
    public static ObjectDisposedException Disposed() => new("Transfer.TransferClient");

    /// <summary>What a path is, in messages and to tell jobs apart.</summary>
    public string UrlOf(string path) => Endpoint.GetLeftPart(UriPartial.Authority) + path;

    /// <summary>The default place of a job's journal, by the name that it has in it.</summary>
    /// <exception cref="TransferException">There is none.</exception>
    public string JournalOf(string job) => _journals.Value is { } directory
        ? directory.JournalFor(LimitsFile.KeyOf(Endpoint, _user), job)
        : throw new TransferException(TransferError.Unsupported, "Resume needs a journal, and this user has no home directory for one: set TransferOptions.Journal or TransferClientOptions.JournalDirectory.");

    /// <summary>Runs one of the client's operations: measured, traced, kept track of, with the caller's own token in its cancellation.</summary>
    public Task<T> MeasureAsync<T>(string operation, Func<Task<T>> action, CancellationToken ct) =>
        TrackAsync(() => Meter.MeasureAsync(operation, Time, action, ct));

    /// <summary>Asks something on one session that is a part of an operation, which is measured by itself.</summary>
    public Task<T> AskAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct) =>
        TrackAsync(async () => await Pool.UseAsync(action, retry, ct).ConfigureAwait(false));

    /// <summary>Runs one operation on one session.</summary>
    public async ValueTask<T> ControlAsync<T>(
        string operation, Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct) =>
        await MeasureAsync(operation, async () => await Pool.UseAsync(action, retry, ct).ConfigureAwait(false), ct).ConfigureAwait(false);

    public async ValueTask DisposeAsync()
    {
        var first = false;
        lock (_gate)
        {
            if (!_disposed) first = _disposed = true;
            if (_running == 0) _idle.TrySetResult();
        }
        if (first) await _closing.CancelAsync().ConfigureAwait(false);
        try
        {
            await _idle.Task.WaitAsync(Patience, Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // Closing the sessions under them is all that is left.
            Log.ClosedWhileRunning(Logger);
        }
        TransferDiagnostics.Forget(Pool);
        await Pool.DisposeAsync().ConfigureAwait(false);
        // Those that workers and looks still had when all jobs were over come back at once. One that hangs is waited for no longer.
        await Pool.Returned.WaitAsync(Patience, Time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Scheduler.Dispose();
        Probe.Dispose();
    }

    // The client's disposal waits for it.
    private async Task<T> TrackAsync<T>(Func<Task<T>> action)
    {
        Enter();
        try
        {
            return await action().ConfigureAwait(false);
        }
        finally
        {
            Leave();
        }
    }

    private void Enter()
    {
        lock (_gate)
        {
            if (_disposed) throw Disposed();
            _running++;
        }
    }

    private void Leave()
    {
        lock (_gate)
        {
            if (--_running == 0 && _disposed) _idle.TrySetResult();
        }
    }
}
