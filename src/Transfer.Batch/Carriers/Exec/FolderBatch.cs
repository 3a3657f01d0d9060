using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Link;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>The upload or download of one folder: in a batch as far as possible, and the rest file by file.</summary>
internal abstract class FolderBatch
{
    /// <summary>Larger files gain nothing from a batch, except when only their differences travel.</summary>
    protected const int LargestFile = 4 << 20;

    /// <summary>Why the rest goes file by file behind a trial.</summary>
    protected const string NoFaster = "a part of it went no faster in a batch";

    private readonly BatchMode _mode;

    protected FolderBatch(TransferClient client, string local, string remote, BatchOptions options, TransferJobContext job)
    {
        Client = client;
        Services = ClientServices.Of(client);
        Local = local;
        Remote = remote;
        Options = options.Directory;
        Job = job;
        Items = new BatchItems(job.Items);
        (_mode, Sizes) = (options.Mode, options.Trial);
        Progress = new PhaseProgress(job.Progress);
    }

    protected TransferClient Client { get; }

    protected ClientServices Services { get; }

    protected ILogger Logger => Services.Logger;

    /// <summary>The folder here.</summary>
    protected string Local { get; }

    /// <summary>The folder there, absolute.</summary>
    protected string Remote { get; }

    protected DirectoryOptions Options { get; }

    /// <summary>The context of the caller's job.</summary>
    protected TransferJobContext Job { get; }

    /// <summary>The job's progress.</summary>
    protected PhaseProgress Progress { get; }

    /// <summary>Receives the results of the batch's items.</summary>
    protected BatchItems Items { get; }

    /// <summary>The journal of the whole job; null: none.</summary>
    protected ItemJournal? Kept { get; private set; }

    /// <summary>The job's name in the journal, the same as file by file, so that the job can be resumed either way.</summary>
    protected abstract string JournalName { get; }

    /// <summary>Which way the content goes.</summary>
    protected abstract WorkKind Direction { get; }

    /// <summary>Whether the job must go in a batch.</summary>
    protected bool Must => _mode == BatchMode.Always;

    /// <summary>How large a trial is, and a folder that is worth one.</summary>
    protected TrialSizes Sizes { get; }

    /// <summary>The only items of the batch that is carried now, by name; null: all.</summary>
    protected IReadOnlyCollection<string>? Only { get; private set; }

    /// <summary>The items that have arrived before the batch that is carried now, by name; null: none.</summary>
    protected IReadOnlySet<string>? Without { get; private set; }

    /// <summary>The operation's name, for metrics.</summary>
    protected abstract string Name { get; }

    public async Task<JobResult> RunAsync() => await ((_mode, Client) switch
    {
        (BatchMode.Never, _) => SinglyAsync(null, Job.CancellationToken),
        (_, IRemoteCommands commands) =>
            Services.MeasureAsync(Name, () => RunUntilAsync(commands, Job.CancellationToken), Job.CancellationToken),
        _ => SinglyAsync("the server runs no commands", Job.CancellationToken),
    }).ConfigureAwait(false);

    /// <summary>Returns why a batch can't honour the options with any server; null: a batch can.</summary>
    protected virtual string? Refuse() => Options switch
    {
        { DryRun: true } => "a dry run moves nothing",
        { Publish: PublishMode.Direct } => "files in a batch are renamed when they are whole",
        { TemporaryDirectory: not null } => "a batch has a folder of its own",
        { RemoveSource: true } or { MoveSourceTo: not null } => "the sources of a batch stay",
        { BackupDirectory: not null } => "a batch makes no backups",
        { FlushToDisk: true } => "files in a batch are not brought to the disk one by one",
        { NameMapping: not NameMapping.None } => "names in a batch are not mapped",
        { Verify: VerificationMode.Hash } => "files in a batch are not compared by hashes",
        _ => null,
    };

    /// <summary>Returns why a batch is not worthwhile, as far as this side shows; null: a batch may be.</summary>
    protected abstract ValueTask<string?> JudgeAsync(CancellationToken ct);

    /// <summary>Returns the trial that decides between a batch and file by file; null: there is none, and the rules decide.</summary>
    protected virtual WayTrial? TrialAt(HostTools tools) => null;

    /// <summary>Returns whether this side shows so much work in a batch that several connections pay.</summary>
    protected virtual ValueTask<bool> IsMuchAsync(CancellationToken ct) => new(false);

    /// <summary>Examines both sides.</summary>
    /// <returns>Why a batch is impossible, or not worthwhile; null: a batch goes on.</returns>
    protected abstract ValueTask<string?> PrepareAsync(HostShell shell, HostTools tools, HostProof proof, CancellationToken ct);

    /// <summary>Ends the use of the batch's resources.</summary>
    protected virtual ValueTask EndAsync() => default;

    /// <summary>Begins to examine the folder, while the host is probed.</summary>
    protected abstract Task ExamineAsync(CancellationToken ct);

    /// <summary>Deletes an unfinished file at the target; a directory with its whole content.</summary>
    protected abstract ValueTask DeleteAsync(string path, bool recursive, CancellationToken ct);

    /// <summary>Whether an earlier run of the job has published the existing file, in an older version. Such a file is replaced even if
    /// other existing files are not: on its own.</summary>
    protected bool IsOldVersionThere(string path) =>
        Options.Overwrite != OverwriteMode.Always && Kept is { Continues: true } journal && journal.FinishedAs(path) is not null;

    /// <summary>Moves files in a batch. When the job was stopped and files were left out, ends as the engine does: cancelled with the token
    /// of the stop.</summary>
    protected abstract Task<BatchDirectoryResult> CarryAsync(HostShell shell, HostTools tools, int lanes,
        ProgressReporter progress, CancellationToken ct);

    /// <summary>Moves all files one by one.</summary>
    protected abstract TransferJob StartSingly(bool readItems, IProgress<TransferProgress> progress, CancellationToken ct);

    /// <summary>Moves some of the files one by one.</summary>
    protected abstract Task<JobResult> MoveSinglyAsync(JobPart part, TransferJobContext job);

    // Preparations are broken off by any kind of end; a batch and single files finish the work under way by themselves.
    private async Task<BatchDirectoryResult> RunUntilAsync(IRemoteCommands commands, CancellationToken caller)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(caller, Job.Stopping);
        try
        {
            return await RunAsync(commands, stop.Token, caller).ConfigureAwait(false);
        }
        catch (OperationCanceledException e)
            when (!caller.IsCancellationRequested && Job.Stopping.IsCancellationRequested && e.CancellationToken != Job.Stopping)
        {
            throw new OperationCanceledException(e.Message, e, Job.Stopping);
        }
    }

    private async Task<BatchDirectoryResult> RunAsync(IRemoteCommands commands, CancellationToken ct, CancellationToken caller)
    {
        var started = Services.Time.GetTimestamp();
        if (Refuse() is { } refusal) return await SinglyAsync(refusal, caller).ConfigureAwait(false);
        if (!HostPath.IsKnown(Remote)) return await SinglyAsync($"where {Remote} is, only the server knows", caller).ConfigureAwait(false);
        if (commands.Names.CodePage != System.Text.Encoding.UTF8.CodePage && !ReferenceEquals(commands.Names, NameEncoding.LosslessUtf8))
            return await SinglyAsync("names at the server are not in UTF-8", caller).ConfigureAwait(false);
        if (!Must && await JudgeAsync(ct).ConfigureAwait(false) is { } small) return await SinglyAsync(small, caller).ConfigureAwait(false);
        var shell = new HostShell(commands, Services.PaceOf(Job), Services.IdleTimeout, Services.LogInTimeout, Services.Time, Logger);
        var (result, why) = await TryAsync(shell, ct, caller).ConfigureAwait(false);
        if (result is null) return await SinglyAsync(why!, caller).ConfigureAwait(false);
        return result with { Elapsed = Services.Time.GetElapsedTime(started) };
    }

    // Or why a batch is impossible: then nothing was moved.
    private async ValueTask<(BatchDirectoryResult? Result, string? Why)> TryAsync(HostShell shell, CancellationToken ct,
        CancellationToken caller)
    {
        using var locked = await Services.LockAsync(Options, JournalName, ct).ConfigureAwait(false);
        Kept = Services.OpenJournal(Options, JournalName);
        var isOver = false;
        try
        {
            var proof = new HostProof(Client, Logger);
            BatchDirectoryResult? batch;
            string? why;
            try
            {
                (batch, why) = await MoveAsync(shell, proof, ct, caller).ConfigureAwait(false);
            }
            finally
            {
                await EndAsync().ConfigureAwait(false);
                await proof.RemoveAsync().ConfigureAwait(false);
            }
            if (batch is null)
            {
                isOver = Kept is { KnowsEarlierRuns: false };
                return (null, why);
            }
            var result = await FinishAsync(batch, caller).ConfigureAwait(false);
            if (Kept?.Abandoned() is { Count: > 0 } abandoned)
                await Services.DiscardAsync(abandoned, DeleteAsync, caller).ConfigureAwait(false);
            isOver = result.Failed == 0;
            return (result, null);
        }
        finally
        {
            await CloseJournalAsync(isOver).ConfigureAwait(false);
        }
    }

    /// <summary>Moves all items but those that are left to the rest of <see cref="Items"/>.</summary>
    /// <param name="shell">The host's shell.</param>
    /// <param name="proof">The proof that commands see what the client sees.</param>
    /// <param name="ct">Stops the preparations.</param>
    /// <param name="caller">Cancels.</param>
    /// <returns>Or why a batch is impossible, or not worthwhile: then nothing was moved.</returns>
    protected virtual async ValueTask<(BatchDirectoryResult? Result, string? Why)> MoveAsync(
        HostShell shell, HostProof proof, CancellationToken ct, CancellationToken caller)
    {
        // The commands share the sessions' connections.
        var sessions = await IsMuchAsync(ct).ConfigureAwait(false) ? Math.Min(LaneModel.Most, MostSessions) : 1;
        await Services.ConnectAsync(sessions, ct).ConfigureAwait(false);
        var (tools, why) = await ProbeAsync(shell, ct).ConfigureAwait(false);
        if (tools is null) return (null, why);
        await DiscardLeftAsync(ct).ConfigureAwait(false);
        if (TrialAt(tools) is { } trial) return (await TryBothAsync(trial, shell, tools, proof, caller).ConfigureAwait(false), null);
        // The receivers started here go on in the batch.
        why = await PrepareAsync(shell, tools, proof, caller).ConfigureAwait(false);
        ct.ThrowIfCancellationRequested();
        return why is null ? (await CarryAsync(shell, tools, caller).ConfigureAwait(false), null) : (null, why);
    }

    /// <summary>Deletes unfinished files of earlier runs, before new files are made: they take room there.</summary>
    protected async ValueTask DiscardLeftAsync(CancellationToken ct)
    {
        if (Kept?.Left is { Count: > 0 } left) Kept.Forget(await Services.DiscardAsync(left, DeleteAsync, ct).ConfigureAwait(false));
    }

    // The rest goes by the faster way.
    private async ValueTask<BatchDirectoryResult> TryBothAsync(WayTrial trial, HostShell shell, HostTools tools, HostProof proof,
        CancellationToken ct)
    {
        Progress.HidesTotals = true;
        var began = Services.Time.GetTimestamp();
        var single = await MoveSinglyAsync(new JobPart { Only = trial.Single, Journal = Kept }, PartOf(ct)).ConfigureAwait(false);
        var singleTime = Services.Time.GetElapsedTime(began);
        if (await PrepareAsync(shell, tools, proof, ct).ConfigureAwait(false) is { } why)
            return await GoOnSinglyAsync(single, trial.Without(trial.Batch), why, ct).ConfigureAwait(false);
        Progress.Next();
        Only = trial.Batch;
        began = Services.Time.GetTimestamp();
        var batch = await CarryAsync(shell, tools, ct).ConfigureAwait(false);
        var batchTime = Services.Time.GetElapsedTime(began);
        Log.Tried(Logger, batch.Way, trial.Batch.Count, batchTime.TotalSeconds, trial.Single.Count, singleTime.TotalSeconds);
        var both = JobTally.Join(single, batch);
        if (!trial.IsBatchFaster(singleTime, batchTime, tools.RoundTrip, Items.Rest.Count))
        {
            var left = Items.Rest;
            Items.Forget();
            return await GoOnSinglyAsync(both, trial.Without(left), NoFaster, ct).ConfigureAwait(false);
        }
        (Only, Without) = (null, trial.Without([]));
        Progress.Next();
        Progress.HidesTotals = false;
        var rest = await CarryAsync(shell, tools, ct).ConfigureAwait(false);
        return new BatchDirectoryResult(JobTally.Join(both, rest)) { Way = rest.Way, Alone = trial.Single.Count };
    }

    private async ValueTask<BatchDirectoryResult> GoOnSinglyAsync(JobResult done, IReadOnlySet<string> without, string why,
        CancellationToken ct)
    {
        Log.NotBatched(Logger, why);
        Progress.Next();
        Progress.HidesTotals = false;
        var rest = await MoveSinglyAsync(new JobPart { Without = without, Journal = Kept }, PartOf(ct)).ConfigureAwait(false);
        return new BatchDirectoryResult(JobTally.Join(done, rest)) { Reason = why };
    }

    // Moves the remaining items on their own.
    private async ValueTask<BatchDirectoryResult> FinishAsync(BatchDirectoryResult batch, CancellationToken ct)
    {
        var rest = Items.Rest;
        if (rest.Count == 0) return batch;
        Log.Rest(Logger, rest.Count);
        Progress.Next();
        var single = await MoveSinglyAsync(new JobPart { Only = rest, Journal = Kept }, PartOf(ct)).ConfigureAwait(false);
        var all = new BatchDirectoryResult(JobTally.Join(batch, single)) { Alone = batch.Alone + rest.Count, Reason = batch.Reason };
        // No file may have gone as planned.
        return batch.Files == batch.Alone ? all with { Reason = "no command at the server moved any of it" } : all with { Way = batch.Way };
    }

    private TransferJobContext PartOf(CancellationToken ct) => Job.ForPart(Progress, Job.Items, ct);

    private async ValueTask CloseJournalAsync(bool isOver)
    {
        if (Kept is not { } journal) return;
        Kept = null;
        if (isOver) journal.Delete();
        else await journal.CloseAsync().ConfigureAwait(false);
    }

    private async Task<BatchDirectoryResult> SinglyAsync(string? why, CancellationToken ct)
    {
        if (why is not null && Must)
            throw new TransferException(TransferError.Unsupported, $"The folder can't go in a batch: {why}.") { IsTransient = false };
        if (why is not null) Log.NotBatched(Logger, why);
        var job = await PartOf(ct).RunAsync(
            (readItems, token) => StartSingly(readItems, Progress, token)).ConfigureAwait(false);
        return new BatchDirectoryResult(job) { Reason = why };
    }

    /// <summary>How many of tar's commands run at a time.</summary>
    protected int LanesFor(HostTools tools)
    {
        // One command keeps a processor busy at each end; two finish sooner even without distance.
        // Twice as many as lanes of a link: each portion waits for the end of a command.
        var wanted = tools.RoundTrip == TimeSpan.Zero ? 2 : Math.Min(LaneModel.Most, 2 * LaneModel.Begin(tools.RoundTrip));
        return Math.Min(MostSessions, wanted);
    }

    private int MostSessions => Math.Max(1, Options.Sessions ?? Services.UsualSessions);

    // Both take a round trip or more.
    private async ValueTask<(HostTools? Tools, string? Why)> ProbeAsync(HostShell shell, CancellationToken ct)
    {
        var looking = ExamineAsync(ct);
        HostTools? tools = null;
        string? why = null;
        try
        {
            tools = await shell.ProbeAsync(ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            why = e.Message.TrimEnd('.');
        }
        finally
        {
            await looking.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        await looking.ConfigureAwait(false);
        return (tools, why);
    }

    private ValueTask<BatchDirectoryResult> CarryAsync(HostShell shell, HostTools tools, CancellationToken ct) =>
        ReportAsync(Progress, (progress, stop) => CarryAsync(shell, tools, LanesFor(tools), progress, stop), ct);

    /// <summary>Moves files whose progress is reported.</summary>
    protected async ValueTask<BatchDirectoryResult> ReportAsync(IProgress<TransferProgress> progress,
        Func<ProgressReporter, CancellationToken, Task<BatchDirectoryResult>> move, CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var reporter = new ProgressReporter(progress, Services.Time, stop) { Meter = Services.Meter, Direction = Direction };
        await using var reporting = reporter.ConfigureAwait(false);
        try
        {
            return await move(reporter, stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (reporter.Fault is not null && !ct.IsCancellationRequested)
        {
            throw reporter.Fault;
        }
    }
}
