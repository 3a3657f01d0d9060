using Transfer.Engine.Operations;
using Transfer.Engine.Scheduling;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer;

/// <summary>
/// Moves files to and from one server. Thread-safe; keeps a pool of sessions; connects when first needed.
/// Paths are absolute from the server's root, <c>/~/</c> is the log-in folder, and without a leading slash they are
/// relative to <see cref="Endpoint"/>'s path.
/// </summary>
/// <remarks>
/// Operations throw <see cref="TransferException"/> when they are refused or fail, <see cref="ArgumentException"/> for a path
/// with CR, LF or NUL, <see cref="OperationCanceledException"/> with the caller's token when that fires, and
/// <see cref="ObjectDisposedException"/> when the client is disposed of, also those under way.
/// </remarks>
public abstract partial class TransferClient : IAsyncDisposable, IDisposable
{
    private readonly ClientEngine _engine;
    private readonly Uri _endpoint;
    private readonly string _basePath;

    /// <summary>Creates a client for an endpoint; nothing is connected yet.</summary>
    /// <exception cref="ArgumentException">
    /// The endpoint is relative, has a query or a fragment (write <c>%3F</c> and <c>%23</c>), or CR, LF or NUL in its path; or an option
    /// breaks its rule, which the message names.
    /// </exception>
    protected TransferClient(Uri endpoint, TransferClientOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        if (!endpoint.IsAbsoluteUri) throw new ArgumentException("The endpoint must be an absolute URL.", nameof(endpoint));
        if (endpoint.Query.Length > 0 || endpoint.Fragment.Length > 0)
        {
            throw new ArgumentException("An endpoint has no query and no fragment: in a path, ? is written %3F and # is written %23.",
                nameof(endpoint));
        }

        Options = options ?? new TransferClientOptions();
        Options.Validate();
        Credential = Options.Credential ?? EndpointUser.GetCredential(endpoint);
        _endpoint = EndpointUser.WithoutPassword(endpoint);
        var path = Uri.UnescapeDataString(endpoint.AbsolutePath);
        _basePath = path.StartsWith('/') ? path : "/" + path; // file:///C:/x has the path C:/x
        RemotePath.ThrowIfInvalid(_basePath);
        _engine = new ClientEngine(_endpoint, Options, () => UsualSessions, OpenSessionAsync, IsSessionLimit,
            Credential?.UserName)
        {
            DividesUploads = () => DividesUploads,
            Traits = () => new SessionTraits(Math.Max(1, LogInRoundTrips), FilesAtOnce, SharesLogIns),
        };
    }

    /// <summary>Creates a client that forwards to another one: see <see cref="Companions.ReloadableTransferClient"/>.</summary>
    private protected TransferClient()
    {
        // Not read here: such a client overrides Engine, Endpoint and Resolve.
        (_engine, _endpoint, _basePath, Options) = (null!, null!, "/", new TransferClientOptions());
    }

    /// <summary>The endpoint of this client; never with the password.</summary>
    public virtual Uri Endpoint => _endpoint;

    /// <summary>The options of the client.</summary>
    protected TransferClientOptions Options { get; }

    /// <summary>
    /// The log-in: the options', else the endpoint's user information (with an empty password where there is none), else null.
    /// </summary>
    protected TransferCredential? Credential { get; }

    /// <summary>The features of the server; known after the first connect, empty before.</summary>
    public virtual TransferFeatures Features => Engine.Pool.LastFeatures ?? new TransferFeatures();

    /// <summary>Opens a session now, so that failures show early; optional.</summary>
    /// <exception cref="TransferException">No connection, or the log-in failed.</exception>
    public virtual async ValueTask ConnectAsync(CancellationToken cancellationToken = default) =>
        await Engine.ControlAsync("connect", static (_, _) => ValueTask.FromResult(true), retry: false,
            cancellationToken).ConfigureAwait(false);

    /// <summary>Checks that the server can be reached and answers a request. A session that was lost while idle is replaced once.</summary>
    /// <exception cref="TransferException">No connection, the log-in failed, or no answer came.</exception>
    public virtual async ValueTask PingAsync(CancellationToken cancellationToken = default) =>
        await ServerProbe.PingAsync(Engine, Resolve(string.Empty), cancellationToken).ConfigureAwait(false);

    /// <summary>Looks at an entry, lists it if it is a directory, and reports what the server can do, and in which way.</summary>
    /// <exception cref="TransferException">No connection, the log-in failed, or the session was lost; a refusal is no failure.</exception>
    public virtual async ValueTask<ServerReport> ProbeAsync(string path = "", CancellationToken cancellationToken = default) =>
        await ServerProbe.RunAsync(Engine, Resolve(path), cancellationToken).ConfigureAwait(false);

    /// <summary>Opens one more session: connects and logs in.</summary>
    protected abstract ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken);

    /// <summary>Opens one more session, for work that may be known before: preparations for that can pass beside the log-in.</summary>
    /// <param name="expected">
    /// Returns the kind of work expected first, over a long link; null: unknown, or not yet known. Other work may come all the same. May be
    /// called at any time.
    /// </param>
    /// <param name="cancellationToken">Cancels.</param>
    protected virtual ValueTask<TransferSession> OpenSessionAsync(Func<WorkKind?> expected, CancellationToken cancellationToken) =>
        OpenSessionAsync(cancellationToken);

    /// <summary>
    /// Notes a round trip, as early as possible in the opening of a session: if the round trip is short, the rest of the opening is the
    /// server's work, which more sessions would only share.
    /// </summary>
    /// <param name="roundTrip">The time from a request to its answer. The shortest counts.</param>
    protected void LearnRoundTrip(TimeSpan roundTrip) => Engine.Pool.LearnRoundTrip(roundTrip);

    /// <summary>
    /// The most sessions of a job without <see cref="DirectoryJobOptions.Sessions"/>; up to <see cref="TransferClientOptions.MaxSessions"/>
    /// more are opened for the segments of a large file as long as that is faster.
    /// </summary>
    protected virtual int UsualSessions => Options.MaxSessions;

    /// <summary>The round trips of a log-in: the rest of the time that the first session took is the server's own.</summary>
    protected virtual int LogInRoundTrips => SessionTraits.Plain.LogInRoundTrips;

    /// <summary>The number of small files that one session has under way at once.</summary>
    protected virtual int FilesAtOnce => SessionTraits.Plain.FilesAtOnce;

    /// <summary>Whether a further session may share the log-in of an open one.</summary>
    protected virtual bool SharesLogIns => SessionTraits.Plain.SharesLogIns;

    /// <summary>The number of log-ins that the present work pays for, where sessions can share them.</summary>
    protected int PayingLogIns => Engine.Scheduler.PayingLogIns;

    /// <summary>
    /// Closes the sessions that are not in use, except for one if none is, and those being opened ahead: for a provider to whom the server
    /// refuses something else beside them. Returns once they are closed.
    /// </summary>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>Whether the server has fewer sessions than before.</returns>
    protected ValueTask<bool> CloseIdleSessionsAsync(CancellationToken cancellationToken) => Engine.Pool.CloseIdleAsync(cancellationToken);

    /// <summary>
    /// Whether servers of this protocol may take a large file from several sessions at once: these are then opened beside the first, before
    /// the server's features are known (<see cref="TransferFeatures.SegmentedUploads"/>). False: no server can announce that, and segments,
    /// if requested, need a test (<see cref="TransferSession.TrySegmentsAsync"/>).
    /// </summary>
    protected virtual bool DividesUploads => true;

    /// <summary>
    /// Whether a failed <see cref="OpenSessionAsync(CancellationToken)"/> means that the server allows no further session beside the open
    /// ones.
    /// </summary>
    protected virtual bool IsSessionLimit(TransferException error) => false;

    /// <summary>Ends all operations and closes all sessions.</summary>
    public virtual async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await Engine.DisposeAsync().ConfigureAwait(false);
        await CloseAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Does the same as <see cref="DisposeAsync"/>. Blocks the thread until all operations have ended and all sessions are closed.
    /// </summary>
    public virtual void Dispose()
    {
        GC.SuppressFinalize(this);
        DisposeAsync().AsTask().GetAwaiter().GetResult();
    }

    /// <summary>
    /// Releases the client's resources other than sessions, which are closed by then. Called by every <see cref="DisposeAsync"/>.
    /// </summary>
    protected virtual ValueTask CloseAsync() => default;

    /// <summary>The endpoint's path, unescaped: the base of relative paths.</summary>
    protected string BasePath => _basePath;

    /// <summary>The shared state of the client's operations and jobs, for packages built upon clients.</summary>
    internal virtual ClientEngine Engine => _engine;

    // The caller's options, or the defaults.
    private static T Checked<T>(T? options)
        where T : TransferOptions, new()
    {
        options ??= new T();
        options.Validate();
        return options;
    }

    // The same with a stream instead of the local file.
    private static T CheckedForStream<T>(T? options)
        where T : FileJobOptions, new()
    {
        options ??= new T();
        options.ValidateForStream();
        return options;
    }

    internal virtual string Resolve(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return RemotePath.Resolve(_basePath, path);
    }
}
