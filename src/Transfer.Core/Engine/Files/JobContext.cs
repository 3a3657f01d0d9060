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
/// What the parts of a job's dispatcher work with: the client's sessions, the job's owner, and whether the job is given up.
/// </summary>
internal sealed class JobContext
{
    private readonly Scheduler _scheduler;
    private readonly JobStanding _standing;

    /// <param name="engine">The client's.</param>
    /// <param name="standing">Whether there can be sessions.</param>
    /// <param name="owner">Is told what happens.</param>
    /// <param name="pause">Holds the job.</param>
    /// <param name="abort">Fires when the job is given up.</param>
    /// <param name="finish">Fires when nothing more is to begin.</param>
    public JobContext(ClientEngine engine, JobStanding standing, IDispatcherOwner owner, JobPause pause, CancellationToken abort, CancellationToken finish)
    {
        _scheduler = engine.Scheduler;
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

    /// <summary>What lost sessions have left at the server.</summary>
    public Leftovers Leftovers { get; }

    /// <summary>Looks at files for their lengths.</summary>
    public LookLine Lengths { get; }

    /// <summary>What holds content back.</summary>
    public ContentFlow Flow { get; }

    /// <summary>Where the server's bytes are counted.</summary>
    public ServerMeter Meter { get; }

    public ILogger Logger { get; }

    public TimeProvider Time { get; }

    /// <summary>Fires when the job is given up.</summary>
    public CancellationToken Abort { get; }

    /// <summary>Fires when nothing more is to begin.</summary>
    public CancellationToken Finish { get; }

    /// <summary>A file, or its job, was given up.</summary>
    public bool IsCanceled(JobFile file) => Abort.IsCancellationRequested || file.Spec.Canceled.IsCancellationRequested;

    /// <summary>A file does not begin, nor begin again, any more. The rest of one that is under way is another thing.</summary>
    public bool IsLeftOut(JobFile file) => Finish.IsCancellationRequested && file.Segment is null;

    /// <summary>A free name in the folder where a file is written before it gets its own.</summary>
    public string UnusedPath(JobFile file) => RemotePath.Combine(file.Spec.TemporaryFolder ?? RemotePath.GetParent(file.RemotePath) ?? "/", Owner.NextTemporaryName());

    /// <summary>The name under which the next attempt writes an upload; null: its own.</summary>
    /// <param name="file">The file.</param>
    /// <param name="isDivided">Several sessions write it.</param>
    public string? NewTemporaryPath(JobFile file, bool isDivided = false)
    {
        if (file is not { Kind: WorkKind.Upload, Publish: PublishMode.Rename }) return null;
        if (file.Journaled?.Continuation is { } continuation) return continuation.Temporary;
        var path = UnusedPath(file);
        file.Journaled?.Began(path, isDivided);
        return path;
    }

    /// <summary>Runs something on a session of the same pool; a worker makes room for it if need be.</summary>
    public ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action, bool retry, CancellationToken ct)
    {
        if (_standing.Dead is { } dead) throw dead;
        return _scheduler.ControlAsync(action, retry, ct);
    }

    /// <summary>The same, given up with the job, and tried again where the session was lost.</summary>
    public ValueTask<T> ControlAsync<T>(Func<TransferSession, CancellationToken, ValueTask<T>> action) => ControlAsync(action, retry: true, Abort);

    /// <summary>Makes a directory and those above it, as far as they are missing. True: it was not there before.</summary>
    public ValueTask<bool> EnsureAsync(string folder, CancellationToken ct, UnixFileMode? mode = null) =>
        ControlAsync((session, token) => RemoteDirectories.EnsureAsync(session, folder, token, mode), retry: true, ct);

    /// <summary>Deletes files; why not, or null, for each, in order.</summary>
    public ValueTask<IReadOnlyList<TransferException?>> DeleteFilesAsync(IReadOnlyList<string> paths, CancellationToken ct) =>
        ControlAsync((session, token) => session.DeleteFilesAsync(paths, token), retry: true, ct);
}
