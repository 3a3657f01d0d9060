using Microsoft.Extensions.Logging;
using Transfer.Diagnostics;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Operations;
using Transfer.Engine.Scheduling;
using Transfer.Journal;
using Transfer.Sessions;

namespace Transfer.Companions;

/// <summary>
/// The services of a client that a companion uses: a package that moves files of the client's server by other ways, such as Transfer.Batch.
/// Thus a companion keeps the client's clock, log, limits and time-outs, and the operations of a companion are measured and cancelled like
/// the client's. Applications need none of this.
/// </summary>
public sealed class ClientServices
{
    private readonly TransferClient _client;
    private readonly ClientEngine _engine;

    private ClientServices(TransferClient client)
    {
        _client = client;
        _engine = client.Engine;
    }

    /// <summary>The clock of the client (<see cref="TransferClientOptions.TimeProvider"/>).</summary>
    public TimeProvider Time => _engine.Time;

    /// <summary>The log of the client. Names in messages are printable.</summary>
    public ILogger Logger => _engine.Logger;

    /// <summary>The longest time without progress (<see cref="TransferClientOptions.IdleTimeout"/>).</summary>
    public TimeSpan IdleTimeout => _engine.IdleTimeout;

    /// <summary>The longest time for a log-in (<see cref="TransferClientOptions.LogInTimeout"/>).</summary>
    public TimeSpan LogInTimeout => _engine.LogInTimeout;

    /// <summary>How often and how soon a failed operation is tried again (<see cref="TransferClientOptions.Retry"/>).</summary>
    public RetryOptions Retry => _engine.Pool.Retry;

    /// <summary>The most sessions of a job without a number in the options; at least 1.</summary>
    public int UsualSessions => _engine.UsualSessions;

    /// <summary>The most memory for names of listings, in bytes (<see cref="TransferClientOptions.MaxListingBytes"/>).</summary>
    public long MaxListingBytes => _engine.Listings.Limit;

    /// <summary>The client's rate limit and the pause of a job, which all of the job's content waits for.</summary>
    /// <param name="context">The job.</param>
    public ContentPace PaceOf(TransferJobContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new ContentPace(_engine.Flow.Of(context.Pause));
    }

    /// <summary>Returns the services of a client.</summary>
    /// <param name="client">The client. Disposing the client ends the services.</param>
    public static ClientServices Of(TransferClient client)
    {
        ArgumentNullException.ThrowIfNull(client);
        return new ClientServices(client);
    }

    /// <summary>Opens the first session and, once that takes long because of round trips, further ones beside it: a job that is about to
    /// have use for several need not wait for one log-in after the other.</summary>
    /// <param name="sessions">The number of sessions in all, the first included.</param>
    /// <param name="cancellationToken">Cancels the wait for the first one.</param>
    /// <exception cref="TransferException">No connection, or the log-in failed.</exception>
    public async ValueTask ConnectAsync(int sessions, CancellationToken cancellationToken)
    {
        if (sessions > 1) _ = _engine.Scheduler.PrepareIfLongAsync(() => Math.Min(sessions, UsualSessions), kind: null, cancellationToken);
        await _client.ConnectAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Makes a path absolute that may be relative to the client's endpoint; see <see cref="TransferClient"/>.</summary>
    /// <exception cref="ArgumentException">CR, LF or NUL are in the path.</exception>
    public string Resolve(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return _client.Resolve(path);
    }

    /// <summary>The URL of an absolute path at the server, without a password: for messages, and to distinguish jobs.</summary>
    public string UrlOf(string path) => _engine.UrlOf(path);

    /// <summary>Takes the lock of the options (<see cref="TransferOptions.Lock"/>), and waits for the lock as long as the options
    /// allow.</summary>
    /// <param name="options">The options. A dry run takes none.</param>
    /// <param name="job">The name of the job, for the message of another run.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The lock, which ends when disposed of; null: the options have none.</returns>
    /// <exception cref="TransferException"><see cref="TransferError.Exists"/>: another run has the lock.</exception>
    public async ValueTask<IDisposable?> LockAsync(DirectoryOptions options, string job, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.Locking is { } locking ? await JobLock.TakeAsync(locking, job, Time, cancellationToken).ConfigureAwait(false) : null;
    }

    /// <summary>Opens the journal of the options (<see cref="TransferOptions.Journal"/>).</summary>
    /// <param name="options">The options. A dry run has none.</param>
    /// <param name="job">The name of the job (<see cref="ItemJournal.JobOf"/>).</param>
    /// <returns>The journal; null: the options have none, or the disk is full (<see cref="ItemJournal.OpenIfRoom"/>).</returns>
    /// <exception cref="TransferException">See <see cref="ItemJournal.Open"/>.</exception>
    public ItemJournal? OpenJournal(DirectoryOptions options, string job)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.Journaling is not { } settings) return null;
        var name = job + settings.Suffix;
        return ItemJournal.OpenIfRoom(settings.Path ?? _engine.JournalOf(name), name, settings.Resume, Logger, settings.Flush, Time);
    }

    /// <summary>Uploads a part of a companion's job as <see cref="TransferClient.UploadDirectoryAsync"/> does, under the lock and the
    /// journal of the companion.</summary>
    /// <inheritdoc cref="TransferClient.UploadDirectoryAsync"/>
    public Task<JobResult> UploadPartAsync(
        string localDirectory, string remotePath, DirectoryOptions options, JobPart part, TransferJobContext context)
    {
        ArgumentNullException.ThrowIfNull(part);
        return FolderJobs.UploadAsync(_engine, localDirectory, Resolve(remotePath), part.Of(options), context);
    }

    /// <summary>Downloads a part of a companion's job as <see cref="TransferClient.DownloadDirectoryAsync"/> does, under the lock and the
    /// journal of the companion.</summary>
    /// <inheritdoc cref="TransferClient.DownloadDirectoryAsync"/>
    public Task<JobResult> DownloadPartAsync(
        string remotePath, string localDirectory, DirectoryOptions options, JobPart part, TransferJobContext context)
    {
        ArgumentNullException.ThrowIfNull(part);
        return FolderJobs.DownloadAsync(_engine, Resolve(remotePath), localDirectory, part.Of(options), context);
    }

    /// <summary>Deletes unfinished files of earlier runs (<see cref="ItemJournal.Left"/>), one by one. Those that can't be deleted are
    /// logged.</summary>
    /// <param name="paths">The files, and directories with a slash at the end.</param>
    /// <param name="delete">Deletes one at its path without the slash; true: a directory and everything in the directory.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <returns>The paths that are gone.</returns>
    public async ValueTask<IReadOnlyList<string>> DiscardAsync(
        IReadOnlyList<string> paths, Func<string, bool, CancellationToken, ValueTask> delete, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(delete);
        return Leftovers.Gone(paths, await Leftovers.DeleteEachAsync(paths, delete, cancellationToken).ConfigureAwait(false), Logger);
    }

    /// <summary>The meter that counts the client's bytes.</summary>
    public ServerMeter Meter => _engine.Meter;

    /// <summary>Runs an operation as one of the client's: measured, traced, and ended before the client is disposed of. Operations of the
    /// client that it calls are parts of it, and not measured by themselves. Cancellation is thrown with the caller's own token.</summary>
    /// <param name="operation">The name of the operation in telemetry, such as <c>batch_upload</c>.</param>
    /// <param name="action">The operation.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    public Task<T> MeasureAsync<T>(string operation, Func<Task<T>> action, CancellationToken cancellationToken) =>
        _engine.MeasureWholeAsync(operation, action, cancellationToken);

    /// <summary>Runs an operation on one of the client's sessions, measured as <see cref="MeasureAsync"/> does.</summary>
    /// <param name="operation">The name of the operation in telemetry, such as <c>move</c>.</param>
    /// <param name="action">Uses the session, which is returned when the action ends.</param>
    /// <param name="retry">Whether the action runs again on another session after a lost one: running twice must do no harm.</param>
    /// <param name="cancellationToken">The caller's token.</param>
    /// <exception cref="TransferException">No session, or the action failed.</exception>
    public ValueTask<T> UseSessionAsync<T>(
        string operation, Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken cancellationToken) =>
        _engine.ControlAsync(operation, action, retry, cancellationToken);
}
