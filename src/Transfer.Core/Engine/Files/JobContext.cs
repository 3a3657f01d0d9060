using Microsoft.Extensions.Logging;
using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Scheduling;
using Transfer.Handles;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// The means that the parts of a job's dispatcher share: the client's sessions, the job's owner, and whether the job is given up.
/// </summary>
internal sealed class JobContext
{
    private readonly Scheduler _scheduler;
    private readonly ListingLine _lists;
    private readonly JobStanding _standing;

    /// <param name="engine">The engine of the client.</param>
    /// <param name="standing">Knows whether sessions can be had.</param>
    /// <param name="owner">The receiver of the job's events.</param>
    /// <param name="pause">The pause that holds the job.</param>
    /// <param name="abort">Fires when the job is given up.</param>
    /// <param name="finish">Fires when no more files may begin.</param>
    public JobContext(ClientEngine engine, JobStanding standing, IDispatcherOwner owner, JobPause pause, CancellationToken abort,
        CancellationToken finish)
    {
        _scheduler = engine.Scheduler;
        _lists = engine.Lists;
        _standing = standing;
        Owner = owner;
        Pool = engine.Pool;
        Leftovers = engine.Leftovers;
        Lengths = engine.Lengths;
        Flow = engine.Flow.Of(pause);
        Meter = engine.Meter;
        Logger = engine.Logger;
        Time = engine.Time;
        Abort = abort;
        Finish = finish;
    }

    public IDispatcherOwner Owner { get; }

    public SessionPool Pool { get; }

    /// <summary>The leftovers of lost sessions at the server.</summary>
    public Leftovers Leftovers { get; }

    /// <summary>The line of looks for files' lengths.</summary>
    public LookLine Lengths { get; }

    /// <summary>The limits and pauses that hold content back.</summary>
    public ContentFlow Flow { get; }

    /// <summary>The meter of the server's bytes.</summary>
    public ServerMeter Meter { get; }

    public ILogger Logger { get; }

    public TimeProvider Time { get; }

    /// <summary>Fires when the job is given up.</summary>
    public CancellationToken Abort { get; }

    /// <summary>Fires when no more files may begin.</summary>
    public CancellationToken Finish { get; }

    /// <summary>Whether a file, or the job, was given up.</summary>
    public bool IsCanceled(JobFile file) => Abort.IsCancellationRequested || file.Spec.Canceled.IsCancellationRequested;

    /// <summary>Whether a file may neither begin nor begin again; the rest of a file under way may still be moved.</summary>
    public bool IsLeftOut(JobFile file) => Finish.IsCancellationRequested && file.Segment is null;

    /// <summary>Returns a free path for the temporary name of a file.</summary>
    public string UnusedPath(JobFile file) =>
        RemotePath.Combine(file.Spec.TemporaryFolder ?? RemotePath.GetParent(file.RemotePath) ?? "/", Owner.NextTemporaryName());

    /// <summary>Returns the path under which the next attempt writes an upload; null: the final path.</summary>
    /// <param name="file">The file.</param>
    /// <param name="isDivided">Whether several sessions write the file.</param>
    public string? NewTemporaryPath(JobFile file, bool isDivided = false)
    {
        if (file is not { Kind: WorkKind.Upload, Publish: PublishMode.Rename }) return null;
        if (file.Journaled?.Continuation is { } continuation) return continuation.Temporary;
        var path = UnusedPath(file);
        file.Journaled?.Began(path, isDivided);
        return path;
    }

    /// <summary>Runs an action on a session of the same pool; a worker makes room if need be.</summary>
    public ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct)
    {
        if (_standing.NoSessionError is { } dead) throw dead;
        return _scheduler.ControlAsync(action, retry, ct);
    }

    /// <summary>Lists a directory, on a session that may list other folders at the same time.</summary>
    /// <param name="list">Lists.</param>
    /// <param name="finds">Whether presence suffices.</param>
    /// <param name="ct">Cancels.</param>
    public ValueTask<T> ListAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> list, bool finds, CancellationToken ct)
    {
        if (_standing.NoSessionError is { } dead) throw dead;
        return _lists.UseAsync(list, finds, retry: true, ct);
    }

    /// <summary>Runs an action that is given up with the job, and tried again after a lost session.</summary>
    public ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action) =>
        ControlAsync(action, retry: true, Abort);

    /// <summary>Creates a directory and the missing parents. True: the directory did not exist before.</summary>
    public ValueTask<bool> EnsureAsync(string folder, CancellationToken ct, UnixFileMode? mode = null) =>
        ControlAsync((session, token) => RemoteDirectories.EnsureAsync(session, folder, token, mode), retry: true, ct);

    /// <summary>Deletes files; returns an error or null for each, in order.</summary>
    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        ControlAsync(LostDeletions.Repeatable(static (session, some, token) => session.DeleteFilesAsync(some, token), paths), retry: true,
            ct);
}
