using Microsoft.Extensions.Logging;
using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Segments;
using Transfer.Listings;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>The state that a client's operations and jobs share: pool, clock, log, and the end of the client's life.</summary>
internal sealed class ClientEngine : IAsyncDisposable
{
    // The wait at disposal for jobs that are still cleaning up.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);

    private static long _clients;

    private readonly CancellationTokenSource _closing = new();
    private readonly TaskCompletionSource _idle = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _gate = new();
    private readonly Func<int> _usualSessions;
    private readonly Lazy<JournalDirectory?> _journals;
    private int _running;
    private bool _disposed;
    private bool _findsNamesFree = true;

    /// <param name="endpoint">The server.</param>
    /// <param name="options">The options of the client.</param>
    /// <param name="usualSessions">See <see cref="UsualSessions"/>; read at the first need.</param>
    /// <param name="open">Opens a session; the first argument gives the work that is expected first.</param>
    /// <param name="isSessionLimit">Whether the error of a refused session means that the server allows no more.</param>
    /// <param name="user">The user that logs in, if known.</param>
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
        User = user;
        _journals =
            new(() => options.JournalDirectory is { } directory ? new JournalDirectory(directory, Time) : JournalDirectory.OfUser());
        IdleTimeout = options.IdleTimeout;
        LogInTimeout = options.LogInTimeout;
        Flow = ContentFlow.Of(options.MaxBytesPerSecond, options.RateSchedule, options.TimeProvider);
        // The rest of the budget is the sessions'.
        ReadAhead = new ByteBudget(options.MaxBufferBytes / 8, reserved: 0);
        Logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Engine");
        var poolLogger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Sessions");
        Pool = new SessionPool(options.MaxSessions, options.SessionLifetime, open, isSessionLimit, options.Retry, poolLogger, Time)
        {
            IsHeld = () => Scheduler!.HasPaused,
            Memory = options is { RemembersSessionLimits: true, LimitsFile: { } path }
                ? new LimitMemory(new LimitsFile(LocalPath.Full(path), Time, poolLogger), new(() => LimitsFile.KeyOf(endpoint, user)),
                    Time) : null,
        };
        Probe = new SegmentProbe(Pool, Logger, Time);
        Closing = _closing.Token;
        Leftovers = new Leftovers(Pool, IdleTimeout, Logger, Time, Closing);
        Pool.LeftoverFound = Leftovers.Add;
        Scheduler = new Scheduler(Pool, MaxSessions, options.MaxSessionsForSmallFiles ?? 0, () => UsualSessions, () => Traits(),
            Lanes, Logger, Time, Closing);
        Lists = new ListingLine(Pool, Scheduler, () => UsualSessions, Logger);
        Looks = LineOf(static (session, paths, ct) => session.GetEntriesAsync(paths, ct));
        Lengths = LineOf(LengthLook.GetAllAsync);
        TransferDiagnostics.Observe(Pool, endpoint);
    }

    /// <summary>The server and the folder that paths start from, without a password.</summary>
    public Uri Endpoint { get; }

    /// <summary>The user that logs in; null: not known.</summary>
    public string? User { get; }

    /// <summary>The meter of the server's bytes and operations.</summary>
    public ServerMeter Meter { get; }

    /// <summary>
    /// The number of the client in this process. Where clients wait for each other's sessions, the number decides which waits, so that no
    /// circle arises.
    /// </summary>
    public long Order { get; } = Interlocked.Increment(ref _clients);

    public SessionPool Pool { get; }

    /// <summary>The scheduler, which gives the files of all jobs to the sessions.</summary>
    public Scheduler Scheduler { get; }

    /// <summary>The line of listings, which share sessions where the protocol can.</summary>
    public ListingLine Lists { get; }

    /// <summary>The line of looks at paths, shared by all callers that look at the same time.</summary>
    public LookLine Looks { get; }

    /// <summary>The line of looks at files' lengths, shared in the same way: see <see cref="LengthLook"/>.</summary>
    public LookLine Lengths { get; }

    /// <summary>
    /// Whether the last single file that was not to replace another found the name free. As long as that holds, the looks at such files
    /// run beside the content; else content would be sent in vain.
    /// </summary>
    public bool FindsNamesFree
    {
        get => Volatile.Read(ref _findsNamesFree);
        set => Volatile.Write(ref _findsNamesFree, value);
    }

    /// <summary>The leftovers of lost sessions at the server.</summary>
    public Leftovers Leftovers { get; }

    public ILogger Logger { get; }

    public TimeProvider Time { get; }

    public int MaxSessions { get; }

    /// <summary>The most sessions that one job gets, apart from the segments of a large file.</summary>
    public int UsualSessions => Math.Clamp(_usualSessions(), 1, MaxSessions);

    /// <summary>See <see cref="TransferClient.DividesUploads"/>.</summary>
    public Func<bool> DividesUploads { get; init; } = static () => true;

    /// <summary>The traits of the protocol.</summary>
    public Func<SessionTraits> Traits { get; init; } = static () => SessionTraits.Plain;

    /// <summary>The test whether a server that does not announce divided uploads takes them all the same.</summary>
    public SegmentProbe Probe { get; }

    public TimeSpan IdleTimeout { get; }

    public TimeSpan LogInTimeout { get; }

    /// <summary>The budget for content between two sessions of a copy, or between a session and an application's stream.</summary>
    public ByteBudget ReadAhead { get; }

    /// <summary>The rate limit.</summary>
    public ContentFlow Flow { get; }

    /// <summary>The budget for entries of the server's listings.</summary>
    public ListingBudget Listings { get; }

    /// <summary>The budget, of the same size, for local folders: two folders of a million files can be compared.</summary>
    public ListingBudget LocalListings { get; }

    /// <summary>The sessions that move files now.</summary>
    public LaneBoard Lanes { get; } = new();

    /// <summary>Fires when the client is disposed.</summary>
    public CancellationToken Closing { get; }

    /// <summary>The error of a call after the client was disposed, with the client's public name.</summary>
    public static ObjectDisposedException Disposed() => new("Transfer.TransferClient");

    /// <summary>Whether an operation failed because the client is disposed of, and was not cancelled by its caller.</summary>
    public bool IsByDisposal(Exception error, CancellationToken ct) =>
        error is OperationCanceledException or ObjectDisposedException or TransferConnectionException
        && Closing.IsCancellationRequested && !ct.IsCancellationRequested;

    /// <summary>Returns the URL of a path, for messages and to distinguish jobs.</summary>
    public string UrlOf(string path) => Endpoint.GetLeftPart(UriPartial.Authority) + path;

    /// <summary>Returns the default place of a job's journal, by the name of the job in the journal.</summary>
    /// <exception cref="TransferException">There is no such place.</exception>
    public string JournalOf(string job) => _journals.Value is { } directory
        ? directory.JournalFor(LimitsFile.KeyOf(Endpoint, User), job)
        : throw new TransferException(TransferError.Unsupported,
            "Resume needs a journal, and this user has no home directory for one: set TransferOptions.Journal or "
            + "TransferClientOptions.JournalDirectory.");

    /// <summary>Runs an operation of the client: measured, traced and tracked; a cancellation carries the caller's own token. A failure is
    /// logged, unless the log has a line for the failed item or the caller is a part of another operation.</summary>
    /// <param name="operation">The name of the operation.</param>
    /// <param name="action">The operation.</param>
    /// <param name="ct">The caller's token.</param>
    /// <param name="path">The path for the log, where the error has none; null: the server as a whole.</param>
    public Task<T> MeasureAsync<T>(string operation, Func<Task<T>> action, CancellationToken ct, string? path = null) =>
        LogFailureAsync(operation, TrackAsync(() => Meter.MeasureAsync(operation, Time, action, ct)), path);

    /// <summary>Runs an operation that is made of the client's own operations, which are not measured by themselves.</summary>
    public Task<T> MeasureWholeAsync<T>(string operation, Func<Task<T>> action, CancellationToken ct) =>
        LogFailureAsync(operation, TrackAsync(() => Meter.MeasureWholeAsync(operation, Time, action, ct)), path: null);

    /// <summary>Runs an action on one session, as a part of an operation that is measured as a whole.</summary>
    public Task<T> RunPartAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct) =>
        TrackAsync(() => UseAsync(action, retry, ct));

    /// <summary>Runs one operation on one session.</summary>
    public async ValueTask<T> ControlAsync<T>(
        string operation, Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct,
        string? path = null) =>
        await MeasureAsync(operation, () => UseAsync(action, retry, ct), ct, path).ConfigureAwait(false);

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
            // The only step left is to close the sessions of the running jobs.
            Log.ClosedWhileRunning(Logger);
            Pool.BreakLeased(new TransferConnectionException(TransferError.Lost, "The client was disposed of."));
        }
        TransferDiagnostics.Forget(Pool);
        await Pool.DisposeAsync().ConfigureAwait(false);
        // Sessions that workers and looks still had at the end of all jobs return at once. A hanging one is not awaited any longer.
        await Pool.Returned.WaitAsync(Patience, Time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Scheduler.Dispose();
        Probe.Dispose();
    }

    // The client's disposal ends the operation, as the caller's token does: the server may never answer.
    private async Task<T> UseAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, Closing);
        try
        {
            return await Pool.UseAsync(action, retry, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (ct.IsCancellationRequested)
        {
            throw new OperationCanceledException(e.Message, e.InnerException, ct);
        }
        catch (Exception e) when (IsByDisposal(e, ct))
        {
            throw Disposed();
        }
    }

    private LookLine LineOf(Func<TransferSession, IReadOnlyList<string>, CancellationToken, ValueTask<IReadOnlyList<EntryOutcome>>> look) =>
        new(row => Scheduler.ControlAsync((session, ct) => row(paths => look(session, paths, ct)), retry: true, Closing));

    private async Task<T> LogFailureAsync<T>(string operation, Task<T> running, string? path)
    {
        try
        {
            return await running.ConfigureAwait(false);
        }
        catch (TransferException e) when (!e.IsLogged && !Meter.IsInWhole)
        {
            e.IsLogged = true;
            var server = Endpoint.GetComponents(UriComponents.SchemeAndServer, UriFormat.Unescaped);
            Log.OperationFailed(Logger, operation, e.RemotePath ?? path ?? server, e.Error, e.Message);
            throw;
        }
    }

    // The client's disposal waits for tracked actions.
    private async Task<T> TrackAsync<T>(Func<Task<T>> action)
    {
        BeginCall();
        try
        {
            return await action().ConfigureAwait(false);
        }
        finally
        {
            EndCall();
        }
    }

    private void BeginCall()
    {
        lock (_gate)
        {
            if (_disposed) throw Disposed();
            _running++;
        }
    }

    private void EndCall()
    {
        lock (_gate)
        {
            if (--_running == 0 && _disposed) _idle.TrySetResult();
        }
    }
}
