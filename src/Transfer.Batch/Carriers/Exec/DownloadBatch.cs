using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Sealing;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>A folder's way down.</summary>
internal sealed class DownloadBatch : FolderBatch
{
    private readonly DryItems _dry;
    private readonly List<ListedFile> _small = [];
    private string _proof = string.Empty;

    public DownloadBatch(TransferClient client, string local, string remote, BatchOptions options, TransferJobContext job)
        : base(client, local, remote, options, job) =>
        _dry = new DryItems(ClientServices.Of(client).MaxListingBytes);

    protected override string Name => "batch_download";

    protected override WorkKind Direction => WorkKind.Download;

    protected override string JournalName => ItemJournal.JobOf("download_directory", Services.UrlOf(Remote), LocalPath.Full(Local));

    protected override string? Refuse() =>
        base.Refuse() ?? (Options.Links == LinkHandling.Follow ? "links at a server are not followed in a batch" : null);

    // Measured: the listing takes its time first, and single files are fetched with several requests under way.
    protected override ValueTask<string?> JudgeAsync(CancellationToken ct) => new("downloads are as fast file by file");

    // The walk of the engine, with all the rules of filters, names and local files.
    protected override async Task ExamineAsync(CancellationToken ct)
    {
        var (options, part, job) = DryRunOf(_dry, ct);
        await Services.DownloadPartAsync(Remote, Local, options, part, job).ConfigureAwait(false);
    }

    protected override async ValueTask<string?> PrepareAsync(HostShell shell, HostTools tools, HostProof proof, CancellationToken ct)
    {
        if (_dry.IsTooLarge) return "the list of its files takes more memory than MaxListingBytes (--max-listing) allows";
        if (tools.Tar == TarKind.None) return "the server has no tar";
        if (!HostScript.IsToldOfEach(tools.Tar)) return "the server's tar takes no list of files, or does not tell when one became shorter";
        try
        {
            _proof = proof.Make(Remote, isThere: true, null, ct);
            await proof.Making.ConfigureAwait(false);
            await shell.CheckSeesAsync(_proof, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return e.Message.TrimEnd('.');
        }
        // A name listed twice would be fetched twice at once.
        var seen = new HashSet<string>();
        var twice = _dry.Files.Where(file => !seen.Add(file.Path)).Select(file => file.Path).ToHashSet();
        foreach (var file in _dry.Files)
        {
            if (file.Length <= LargestFile && TarDownload.IsPlain(file.Path) && !twice.Contains(file.Path) && !IsOldVersionThere(file.Path))
                _small.Add(file);
            else Items.AddToRest(file.Path);
        }
        foreach (var item in _dry.Others) Job.Items?.Report(item);
        return null;
    }

    protected override async Task<(BatchWay Way, JobResult Job)> CarryAsync(HostShell shell, HostTools tools, int lanes,
        ProgressReporter progress, CancellationToken ct)
    {
        var started = Services.Time.GetTimestamp();
        Log.Batched(Logger, BatchWay.Tar, lanes);
        var unpack = new BatchUnpackOptions
        {
            Overwrite = Options.Overwrite,
            PreserveMode = Options.PreserveMode,
            PreserveTimes = Options.PreserveModified,
            Durability = Durability.None,
            Progress = progress,
            Logger = Logger,
        };
        using var target = new UnpackTarget(new TargetFolders(LocalPath.Full(Local), null), unpack,
            JobId.New())
        { TemporaryNames = Kept?.Names ?? new TemporaryNames() };
        foreach (var folder in _dry.Folders)
        {
            // The error is reported by the file's own transfer, which meets the same error.
            if (target.Folders.Get(folder).Error is not null) Items.AddToRest(folder);
        }
        foreach (var file in _small) progress.Plan(file.Length);
        progress.PlanComplete();
        var tally = new JobTally();
        var board = new LaneBoard();
        using var sessions = Job.AddSessions(board.Read);
        await new TarDownload(shell, Remote, _proof, target, Items, tally, Kept, board, Logger, Job.Stopping).RunAsync(_small, lanes, ct)
            .ConfigureAwait(false);
        foreach (var item in _dry.Others)
        {
            if (item.Error is null) tally.Done(ItemAction.Skip, new TransferResult());
            else tally.Failed(item);
        }
        return (BatchWay.Tar, tally.ToResult(Services.Time.GetElapsedTime(started), lanes));
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
}
