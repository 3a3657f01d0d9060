using Transfer.Batch.Archive.Unpacking;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>A folder's way down. One walk lists the folder; each file goes by the host's tar or on its own, as soon as found.</summary>
internal sealed class DownloadBatch : FolderBatch
{
    // Measured: single files are fetched with many requests under way, so that most servers are as fast that way.
    private const string AsFast = "downloads are as fast file by file";

    private string _proof = string.Empty;
    private string _why = AsFast;

    public DownloadBatch(TransferClient client, string local, string remote, BatchOptions options, TransferJobContext job)
        : base(client, local, remote, options, job)
    {
    }

    protected override string Name => "batch_download";

    protected override WorkKind Direction => WorkKind.Download;

    protected override string JournalName => ItemJournal.JobOf("download_directory", Services.UrlOf(Remote), LocalPath.Full(Local));

    protected override string? Refuse() =>
        base.Refuse() ?? (Options.Links == LinkHandling.Follow ? "links at a server are not followed in a batch" : null);

    // Only a trial shows it, after a while.
    protected override ValueTask<string?> JudgeAsync(CancellationToken ct) => new((string?)null);

    protected override ValueTask<(BatchDirectoryResult? Result, string? Why)> MoveAsync(
        HostShell shell, HostProof proof, CancellationToken ct, CancellationToken caller) =>
        Must ? base.MoveAsync(shell, proof, ct, caller) : MoveSinglyAtFirstAsync(shell, proof, ct, caller);

    // The proof must not make the folder.
    protected override async Task ExamineAsync(CancellationToken ct)
    {
        if (await Client.GetEntryAsync(Remote, ct).ConfigureAwait(false) is null)
            throw new TransferException(TransferError.NotFound, $"There is no folder {Remote}.");
    }

    protected override async ValueTask<string?> PrepareAsync(HostShell shell, HostTools tools, HostProof proof, CancellationToken ct)
    {
        if (tools.Tar == TarKind.None) return "the server has no tar";
        if (!HostScript.IsToldOfEach(tools.Tar)) return "the server's tar takes no list of files, or does not tell when one became shorter";
        try
        {
            // A download that was not told to go in a batch writes nothing at the server: the listed lengths and times are proof enough.
            _proof = Must ? proof.Make(Remote, isThere: true, null, ct) : Remote;
            await proof.Making.ConfigureAwait(false);
            await shell.CheckSeesAsync(_proof, ct).ConfigureAwait(false);
            return null;
        }
        catch (TransferException e)
        {
            return e.Message.TrimEnd('.');
        }
    }

    protected override async Task<BatchDirectoryResult> CarryAsync(HostShell shell, HostTools tools, int lanes, ProgressReporter progress,
        CancellationToken ct)
    {
        using var tar = LanesOf(shell, tools, lanes, progress);
        Log.Batched(Logger, BatchWay.Tar, lanes);
        var line = tar.NewLine();
        progress.PlanComplete();
        var taker = new TarTaker(line, Fits, progress);
        var part = new JobPart { Without = new HashSet<string> { RemotePath.GetName(_proof) }, Journal = Kept, Taker = taker };
        var single = await WalkAsync(part, stop => tar.RunAsync(line, stop), Job.ForPart(Progress.Beside, Job.Items, ct))
            .ConfigureAwait(false);
        return new BatchDirectoryResult(JobTally.Join(tar.ToResult(), single)) { Way = BatchWay.Tar, Alone = (int)single.Files };
    }

    protected override ValueTask DeleteAsync(string path, bool recursive, CancellationToken ct)
    {
        try
        {
            DiskFiles.Delete(path);
            return default;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            throw LocalErrors.Map(e, "Cannot delete", path);
        }
    }

    protected override TransferJob StartSingly(bool readItems, IProgress<TransferProgress> progress, CancellationToken ct) =>
        Client.StartDownloadDirectory(Remote, Local, Options, readItems, progress, ct);

    protected override Task<JobResult> MoveSinglyAsync(JobPart part, TransferJobContext job) =>
        Services.DownloadPartAsync(Remote, Local, Options, part, job);

    private async ValueTask<(BatchDirectoryResult? Result, string? Why)> MoveSinglyAtFirstAsync(
        HostShell shell, HostProof proof, CancellationToken ct, CancellationToken caller)
    {
        Log.NotBatched(Logger, AsFast);
        await DiscardLeftAsync(ct).ConfigureAwait(false);
        return (await ReportAsync(Progress.Beside, async (progress, stop) =>
        {
            TarLanes? tar = null;
            progress.PlanComplete();
            var trial = new DownloadTrial(Job.Items, Items, Sizes, Fits,
                async token => await ProbeAsync(shell, proof, token).ConfigureAwait(false) is { } tools
                    ? tar = LanesOf(shell, tools, LanesFor(tools), progress) : null,
                Services.Time, Logger)
            { Progress = progress };
            try
            {
                var single = await WalkAsync(new JobPart { Journal = Kept, Taker = trial },
                    token => trial.RunAsync(Job.Stopping, token), Job.ForPart(Progress, trial, stop)).ConfigureAwait(false);
                var job = tar is null ? single : JobTally.Join(single, tar.ToResult());
                if (trial.IsBatched) return new BatchDirectoryResult(job) { Way = BatchWay.Tar, Alone = (int)single.Files };
                if (trial.HasTried) Log.NotBatched(Logger, NoFaster);
                return new BatchDirectoryResult(job) { Reason = trial.HasTried ? NoFaster : _why };
            }
            finally
            {
                tar?.Dispose();
            }
        }, caller).ConfigureAwait(false), null);
    }

    private async ValueTask<HostTools?> ProbeAsync(HostShell shell, HostProof proof, CancellationToken ct)
    {
        HostTools? tools = null;
        try
        {
            tools = await shell.ProbeAsync(ct).ConfigureAwait(false);
            if (await PrepareAsync(shell, tools, proof, ct).ConfigureAwait(false) is not { } why) return tools;
            _why = why;
        }
        catch (TransferException e)
        {
            _why = e.Message.TrimEnd('.');
        }
        Log.NotBatched(Logger, _why);
        return null;
    }

    // The walk, with the files that nobody takes, and beside the walk what fetches those that are taken.
    private async Task<JobResult> WalkAsync(JobPart part, Func<CancellationToken, Task> fetch, TransferJobContext walk)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(walk.CancellationToken);
        var fetching = fetch(stop.Token);
        JobResult single;
        try
        {
            single = await MoveSinglyAsync(part, walk).ConfigureAwait(false);
        }
        catch
        {
            // In a job that was stopped, what is under way is finished.
            if (!Job.Stopping.IsCancellationRequested) await stop.CancelAsync().ConfigureAwait(false);
            await fetching.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
        await fetching.ConfigureAwait(false);
        return single;
    }

    private bool Fits(ListedFile file) => file.Length <= LargestFile && (Must || file.Modified is not null)
        && TarDownload.IsPlain(file.Path) && !IsOldVersionThere(file.Path);

    private TarLanes LanesOf(HostShell shell, HostTools tools, int lanes, ProgressReporter progress) => new(shell, Remote, _proof, Local,
        new BatchUnpackOptions
        {
            Overwrite = Options.Overwrite,
            PreserveMode = Options.PreserveMode,
            PreserveTimes = Options.PreserveModified,
            Durability = Durability.None,
            Progress = progress,
            Logger = Logger,
        }, lanes, tools.RoundTrip, Items, Kept, Job, Services.Time);
}
