using System.Runtime.CompilerServices;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Sealing;
using Transfer.Local;
using Transfer.Modes;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Exec;

/// <summary>A folder's way up.</summary>
internal sealed class UploadBatch : FolderBatch
{
    // For less, asking the host takes longer than is gained.
    private const int LeastFiles = 500;
    private const long LeastBytes = 16 << 20;

    // Which files are looked into, and how much of each.
    private const int SampleEvery = 32;
    private const int SampleLength = 4096;

    private const int PortionFiles = 100;
    private const int MostReceivers = 4;

    private const string NotFaster = "file by file is as fast where content can't be compressed";

    private RemoteEntry? _there;
    private FolderSample? _sample;
    private WayTrial? _trial;
    private DryItems? _dry;
    private HostDialer[] _receivers = [];
    private string _proof = string.Empty;

    public UploadBatch(TransferClient client, string local, string remote, BatchOptions options, TransferJobContext job)
        : base(client, local, remote, options, job)
    {
    }

    protected override string Name => "batch_upload";

    protected override WorkKind Direction => WorkKind.Upload;

    protected override string JournalName => ItemJournal.JobOf("upload_directory", LocalPath.Full(Local), Services.UrlOf(Remote));

    protected override async ValueTask<string?> JudgeAsync(CancellationToken ct)
    {
        if (!DiskDirectories.Exists(Local)) return "there is no such folder here";
        var sample = await SampleAsync(ct).ConfigureAwait(false);
        if (!sample.IsMuch) return $"{sample.Files} small files are few";
        _trial = await FindTrialAsync(ct).ConfigureAwait(false);
        return _trial is not null || Shrinks(sample) ? null : NotFaster;
    }

    // An existing target decides which files go: those are not the first ones of the folder.
    protected override WayTrial? TrialAt(HostTools tools)
    {
        var isPlain = _there is null || _dry is null && _there.Type != RemoteEntryType.File && Options.Overwrite == OverwriteMode.Always;
        if (!isPlain || tools is { Tar: TarKind.None, HasTransfer: false }) _trial = null;
        return _trial;
    }

    // In a trial the files that go on their own come first.
    private bool IsThere => _there is not null || _trial is not null;

    private static bool Shrinks(FolderSample sample) => sample.Shrinking * 2 > sample.Looked;

    // The first files of the folder; null: there are too few for a trial.
    private async ValueTask<WayTrial?> FindTrialAsync(CancellationToken ct)
    {
        var (single, batch) = (new List<ListedFile>(), new List<ListedFile>());
        var small = 0;
        await foreach (var item in WalkAsync(ct).ConfigureAwait(false))
        {
            small++;
            if (single.Count < Sizes.Files) single.Add(new ListedFile(item.Path, item.Length));
            else if (batch.Count < Sizes.Files) batch.Add(new ListedFile(item.Path, item.Length));
            if (small >= Sizes.Least) return new WayTrial(single, batch);
        }
        return null;
    }

    // The small files of the folder.
    private async IAsyncEnumerable<PackItem> WalkAsync([EnumeratorCancellation] CancellationToken ct)
    {
        var pack = new BatchPackOptions
        {
            Filter = Options.Filter,
            Links = Options.Links,
            MaxListingBytes = Services.MaxListingBytes,
            Logger = Logger
        };
        await foreach (var item in new FolderWalk(new LocalTreeReader(Local, Logger), pack,
            new PackResults(pack)).ItemsAsync(ct).ConfigureAwait(false))
        {
            if (item.Type == TarEntryType.File && item.Length <= LargestFile) yield return item;
        }
    }

    protected override async ValueTask<bool> IsMuchAsync(CancellationToken ct) =>
        _trial is null && DiskDirectories.Exists(Local) && (await SampleAsync(ct).ConfigureAwait(false)).IsMuch;

    // Ends as soon as there is enough for a batch.
    private async ValueTask<FolderSample> SampleAsync(CancellationToken ct)
    {
        if (_sample is { } known) return known;
        var (small, samples, shrinking) = (0, 0, 0);
        long bytes = 0;
        await foreach (var item in WalkAsync(ct).ConfigureAwait(false))
        {
            bytes = LengthSum.Add(bytes, item.Length);
            if (small++ % SampleEvery != 0 || item.Length == 0) continue;
            samples++;
            if (Shrinks(Path.Join(Local, item.Path))) shrinking++;
            if (small >= LeastFiles && bytes >= LeastBytes) break;
        }
        _sample = new FolderSample(small, small >= LeastFiles && bytes >= LeastBytes, samples, shrinking);
        return _sample;
    }

    private static bool Shrinks(string path)
    {
        try
        {
            using var handle = DiskFiles.Open(path, share: FileShare.ReadWrite | FileShare.Delete);
            var sample = new byte[SampleLength];
            return ShrinkTest.Pays(sample.AsSpan(0, RandomAccess.Read(handle, sample, 0)));
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            // The sending reports the error.
            return false;
        }
    }

    protected override async Task ExamineAsync(CancellationToken ct)
    {
        if (!DiskDirectories.Exists(Local)) throw new TransferException(TransferError.NotFound, $"There is no folder {Local}.");
        _there = await Client.GetEntryAsync(Remote, ct).ConfigureAwait(false);
        // Existing files decide which files are sent; the rest would be packed for nothing. And leftovers of earlier runs are deleted.
        if (_there?.Type is not (RemoteEntryType.Directory or RemoteEntryType.Link)
            || Options.Overwrite == OverwriteMode.Always && Kept is not { KnowsEarlierRuns: true })
        {
            return;
        }

        var dry = new DryItems();
        await Services.UploadPartAsync(Local, Remote, Options with { DryRun = true }, new JobPart { Directories = dry, Journal = Kept },
            Job.ForPart(null, dry, ct)).ConfigureAwait(false);
        _dry = dry;
    }

    protected override async ValueTask<string?> PrepareAsync(HostShell shell, HostTools tools, HostProof proof, CancellationToken ct)
    {
        if (tools is { Tar: TarKind.None, HasTransfer: false }) return "the server has neither tar nor transfer";
        if (_there is { Type: RemoteEntryType.File or RemoteEntryType.Other }) return $"{Remote} is not a folder";
        if (!Must && _trial is null && !tools.HasTransfer)
            return "transfer is not installed at the server, and its tar is not faster than SFTP";
        if (!Must && _trial is null && _sample is { } sample && !Shrinks(sample)) return NotFaster;
        if (!Must && _dry?.Files.Count < LeastFiles) return $"{_dry.Files.Count} files are few";
        _proof = proof.Make(Remote, IsThere, Kept, ct);
        var why = tools.HasTransfer ? await FindReceiversAsync(shell, tools, proof.Making, ct).ConfigureAwait(false) : null;
        try
        {
            await proof.Making.ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return e.Message.TrimEnd('.');
        }
        if (_receivers.Length == 0)
        {
            if (!Must && _trial is null || tools.Tar == TarKind.None) return why ?? "the server has no tar";
            if (why is not null) Log.NoReceiver(Logger, why);
            try
            {
                await shell.CheckSeesAsync(_proof, ct).ConfigureAwait(false);
                // The folder of the job's own proves the rest.
                _ = proof.RemoveAsync();
            }
            catch (TransferException e)
            {
                return e.Message.TrimEnd('.');
            }
        }
        foreach (var item in _dry?.Others ?? []) Job.Items?.Report(item);
        foreach (var file in _dry?.Files ?? [])
        {
            if (IsOldVersionThere(file.Path)) Items.AddToRest(file.Path);
        }
        return null;
    }

    protected override async ValueTask EndAsync()
    {
        foreach (var receiver in _receivers) await receiver.DropAsync().ConfigureAwait(false);
    }

    protected override async Task<BatchDirectoryResult> CarryAsync(HostShell shell, HostTools tools, int lanes, ProgressReporter progress,
        CancellationToken ct)
    {
        var started = Services.Time.GetTimestamp();
        var byReceiver = _receivers.Length > 0;
        var questions = byReceiver && _there is not null && Options.Overwrite is OverwriteMode.Always or OverwriteMode.Newer
            ? new SignatureRequests(Services.Time, Logger) : null;
        // Not sealed: the archives go through SSH only, and the host's user reads them anyway.
        using var keys = JobKeys.Unsealed(JobId.New());
        using var ending = Job.Stopping.UnsafeRegister(static questions => ((SignatureRequests?)questions)?.End(), questions);
        var archives = FolderArchives.Open(Local, PackOptions(tools, isTar: !byReceiver, progress) with { Bases = questions }, keys);
        await using var packing = archives.ConfigureAwait(false);
        if (byReceiver)
        {
            lanes = _receivers.Length;
            Log.Batched(Logger, BatchWay.Transfer, lanes);
            var options = CarrierOptions(questions);
            using var sessions = Job.AddSessions(options.Board.Read);
            await ReceiverUpload.RunAsync(_receivers, archives, keys.Job, options, ct).ConfigureAwait(false);
        }
        else
        {
            Log.Batched(Logger, BatchWay.Tar, lanes);
            await ExtractAsync(shell, tools, archives, lanes, ct).ConfigureAwait(false);
        }
        await archives.CompleteAsync(null).ConfigureAwait(false);
        if (archives.HasPostponed) Job.Stopping.ThrowIfCancellationRequested();
        var job = archives.Tally.ToResult(Services.Time.GetElapsedTime(started), lanes);
        // Failures of the batch are not final yet; those of the dry run are.
        var lost = _dry?.Others.Where(item => item.Error is not null).ToList() ?? [];
        return new BatchDirectoryResult(job with
        {
            Skipped = job.Skipped + (_dry?.Others.Count(item => item.Error is null) ?? 0),
            Failed = lost.Count,
            Failures = [.. lost.Take(JobResult.MaxFailures)],
        })
        { Way = byReceiver ? BatchWay.Transfer : BatchWay.Tar };
    }

    protected override TransferJob StartSingly(bool readItems, IProgress<TransferProgress> progress, CancellationToken ct) =>
        Client.StartUploadDirectory(Local, Remote, Options, readItems, progress, ct);

    protected override Task<JobResult> MoveSinglyAsync(JobPart part, TransferJobContext job) =>
        Services.UploadPartAsync(Local, Remote, Options, part, job);

    protected override async ValueTask DeleteAsync(string path, bool recursive, CancellationToken ct) =>
        await Client.DeleteAsync(path, recursive, ct).ConfigureAwait(false);

    private async ValueTask ExtractAsync(HostShell shell, HostTools tools, FolderArchives archives, int lanes, CancellationToken ct)
    {
        // Files that are published only at the end, all at once, can't be resumed before that.
        if (Kept is not null && !IsThere) await Client.CreateDirectoryAsync(Remote, parents: true, ct).ConfigureAwait(false);
        using var folder = new StagedFolder(Client, shell, Remote, IsThere || Kept is not null, Options.Overwrite, Items, Kept, Logger)
        {
            FolderMode = tools.FolderMode,
            ModeOf = folder => ModeOf(Path.Join(Local, folder)) is { } mode ? mode & ~UmaskOf(tools) | EntryForm.Owners : null,
            KeepsReplacedModes = !Options.PreserveMode,
        };
        try
        {
            folder.Make(ct);
            var board = new LaneBoard();
            using var sessions = Job.AddSessions(board.Read);
            await new TarUpload(shell, folder, archives, Options.PreserveModified, board, Logger).RunAsync(lanes, ct)
                .ConfigureAwait(false);
        }
        finally
        {
            await folder.RemoveAsync().ConfigureAwait(false);
        }
    }

    // Returns why there are no receivers; null: the first exists, and the rest are being started.
    private async ValueTask<string?> FindReceiversAsync(HostShell shell, HostTools tools, Task proving, CancellationToken ct)
    {
        if (!Options.PreserveModified) return "transfer at the server would keep times, which is not wanted";
        // Starting a command takes a processor of the host's for a while, and each moves more than one of tar.
        _receivers = [
            .. Enumerable.Range(0, Math.Clamp(LanesFor(tools) / 2, 1, MostReceivers)).Select(
                _ => new HostDialer(shell, Options.Overwrite, Options.PreserveMode, Remote, _proof, proving))];
        try
        {
            var starts = _receivers.Select(receiver => receiver.PrepareAsync(ct)).ToArray();
            await starts[0].ConfigureAwait(false);
            return null;
        }
        catch (TransferException e)
        {
            await EndAsync().ConfigureAwait(false);
            _receivers = [];
            return e.Message.TrimEnd('.');
        }
    }

    private static UnixFileMode? ModeOf(string path) =>
        OperatingSystem.IsWindows() ? null : FileStatus.TryFind(path, follow: true)?.Mode & FinalMode.Permissions;

    private UnixFileMode UmaskOf(HostTools tools) => Options.PreserveMode ? UnixFileMode.None : tools.Umask;

    private LinkCarrierOptions CarrierOptions(SignatureRequests? questions) =>
        new() { Retry = Services.Retry, Flow = Services.PaceOf(Job), Questions = questions, Logger = Logger, Time = Services.Time };

    private BatchPackOptions PackOptions(HostTools tools, bool isTar, ProgressReporter progress)
    {
        var options = new BatchPackOptions
        {
            Filter = Options.Filter,
            Links = Options.Links,
            Without = Without,
            Only = _dry is null ? Only : [.. _dry.Files.Select(file => file.Path).Where(path => !IsOldVersionThere(path)), .. _dry.Folders],
            MaxListingBytes = Services.MaxListingBytes,
            LargestFile = LargestFile,
            Finish = Job.Stopping,
            Items = Items,
            Room = Job.WhenItemsAreReadAsync,
            LostFolders = Items,
            Journal = Kept,
            TargetIsExamined = true,
            Progress = progress,
            Logger = Logger,
            Form = new EntryForm
            {
                // Windows has no such modes. A receiver applies its own umask.
                FileMode = OperatingSystem.IsWindows() ? tools.FileMode : null,
                FolderMode = OperatingSystem.IsWindows() ? tools.FolderMode : null,
                Umask = isTar ? UmaskOf(tools) : UnixFileMode.None,
                WholeSeconds = isTar,
                RawNames = isTar,
                MarksChanged = !isTar,
            },
        };
        // There is no way to correct a tar that has extracted a changed file.
        return isTar ? options with { ArchiveFiles = PortionFiles, PacksChangedAgain = false }
            : options with { ArchiveBytes = LaneModel.ArchiveBytes };
    }
}
