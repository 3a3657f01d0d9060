using Transfer.Contents;
using Transfer.Engine.Backups;
using Transfer.Engine.Cleaning;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Planning;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Trees;
using Transfer.Local;
using Transfer.Local.Contents;
using Transfer.Local.Trees;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>Jobs between a local folder and a remote one.</summary>
internal static class FolderJobs
{
    public static Task<JobResult> UploadAsync(
        ClientEngine engine, string local, string remote, DirectoryJobOptions options, TransferJobContext context) =>
        engine.MeasureAsync(NameOf("upload_directory", options), async () =>
        {
            await FolderOverlap.RefuseUpAsync(local, engine, remote, options, context.CancellationToken).ConfigureAwait(false);
            var job = new EngineJob(NameOf("upload_directory", options), engine, new JobLimits(options.Sessions, options.Segments),
                context);
            await using var jobEnd = job.ConfigureAwait(false);
            await job.LockAsync(options.Locking, LocalPath.Full(local), engine.UrlOf(remote)).ConfigureAwait(false);
            job.KeepJournal(
                options.Journaling, LocalPath.Full(local), engine.UrlOf(remote),
                (paths, token) => DeleteAsync(job.Dispatcher, engine, paths, token), lent: options.Lent);
            job.Dispatcher.Direction = WorkKind.Upload;
            var source = new LocalTree(local, engine.Logger, budget: engine.LocalListings);
            var target = new RemoteTree(job.Dispatcher, engine, remote);
            var temporary = TemporaryFolder.Remote(job, options, remote);
            var backup = BackupFolder.Remote(options.BackupDirectory, remote, job);
            SourceDisposal.OfLocal(job, options, CopyPlaces.Up(job, engine));
            var archive = BackupFolder.Local(options.MoveSourceTo, local);
            var planner = new FolderPlanner(job, source, target, options, engine.UsualSessions, (directory, entry) =>
            {
                var path = source.PathOf(directory.PathOf(entry.Name));
                return job.AddAsync(MakeUpload(job, directory, entry with { Mode = entry.Mode ?? LocalFiles.ModeOf(path) }, target,
                    new LocalFileSource(path, entry.Length), options, temporary, backup, path,
                    options.DisposesSource ? FileIdentity.Of(path, unchanged: options.Publish == PublishMode.Direct) : null));
            }, backup: backup)
            {
                Temporary = temporary,
                Archive = archive?.Within,
            };
            return await job.RunAsync(planner.RunAsync, planner.FinishAsync).ConfigureAwait(false);
        }, context.CancellationToken);

    public static Task<JobResult> DownloadAsync(
        ClientEngine engine, string remote, string local, DirectoryJobOptions options, TransferJobContext context) =>
        engine.MeasureAsync(NameOf("download_directory", options), async () =>
        {
            await FolderOverlap.RefuseDownAsync(engine, remote, local, options, context.CancellationToken).ConfigureAwait(false);
            var job = new EngineJob(NameOf("download_directory", options), engine, new JobLimits(options.Sessions, options.Segments),
                context);
            await using var jobEnd = job.ConfigureAwait(false);
            await job.LockAsync(options.Locking, engine.UrlOf(remote), LocalPath.Full(local)).ConfigureAwait(false);
            job.KeepJournal(options.Journaling, engine.UrlOf(remote), LocalPath.Full(local),
                static (paths, _) => new(LocalFiles.Delete(paths)), lent: options.Lent);
            job.Dispatcher.Direction = WorkKind.Download;
            var source = new RemoteTree(job.Dispatcher, engine, remote);
            var target = new LocalTree(local, engine.Logger, budget: engine.LocalListings);
            var temporary = TemporaryFolder.Local(job, options, local);
            var backup = BackupFolder.Local(options.BackupDirectory, local);
            SourceDisposal.OfRemote(job, options, job, job.Dispatcher, engine, CopyPlaces.Down(job, engine));
            var archive = BackupFolder.Remote(options.MoveSourceTo, remote, job);
            var planner = new FolderPlanner(
                job, source, target, options, engine.UsualSessions,
                (directory, entry) => job.AddAsync(MakeDownload(job, directory, entry, source, target, options, temporary, backup)),
                options.Sessions, backup)
            {
                Temporary = temporary,
                Archive = archive?.Within,
            };
            return await job.RunAsync(token =>
            {
                if (options is { Sessions: null, DryRun: false, Taker: not { TakesMost: true } }) job.Dispatcher.ExpectFolder();
                return planner.RunAsync(token);
            }, planner.FinishAsync).ConfigureAwait(false);
        }, context.CancellationToken);

    /// <summary>Returns a job's name in metrics and logs.</summary>
    public static string NameOf(string operation, DirectoryJobOptions options) => options is SyncOptions ? "synchronize" : operation;

    /// <summary>Returns a file of a folder that goes to a server.</summary>
    /// <param name="job">The job.</param>
    /// <param name="directory">The folder of the file.</param>
    /// <param name="entry">The file.</param>
    /// <param name="target">The folder to fill.</param>
    /// <param name="content">The content.</param>
    /// <param name="options">The options.</param>
    /// <param name="temporary">The folder of temporary names; null: the targets' own.</param>
    /// <param name="backup">The folder for replaced files; null: none.</param>
    /// <param name="source">The path of the file on the source's side.</param>
    /// <param name="identity">The local file, where the job removes it; else null.</param>
    public static JobFile MakeUpload(
        EngineJob job, PlannedDirectory directory, TreeEntry entry, RemoteTree target, EngineContent content, DirectoryJobOptions options,
        TemporaryFolder? temporary,
        BackupFolder? backup, string source, FileIdentity? identity = null)
    {
        var item = directory.ItemOf(entry.Name);
        var replaced = backup is not null && MayBeThere(directory, entry.Name) ? new FileBackup(backup, item.TargetPath) : null;
        return new JobFile(
            new FileSpec
            {
                Name = item.Path,
                MappedTo = item.MappedTo,
                Kind = WorkKind.Upload,
                RemotePath = target.PathOf(item.TargetPath),
                Options = options,
                IsOwn = IsOwn(job, item),
                Metadata = FileMetadata.Of(options.PreserveModified ? entry.Modified : null, options.PreserveMode ? entry.Mode : null),
                SourceMode = entry.Mode,
                IsNew = directory.IsNewAndEmpty,
                Journaled = job.Track(item.TargetPath, entry.Length, entry.Modified, content.HasRanges && replaced is null, options.Verify),
                Backup = replaced,
                TemporaryFolder = temporary?.Path,
                Source = SourceOf(options, source, item.Path, entry, target.PathOf(item.TargetPath), identity),
            }, content);
    }

    private static JobFile MakeDownload(
        EngineJob job, PlannedDirectory directory, TreeEntry entry, RemoteTree source, LocalTree target, DirectoryJobOptions options,
        TemporaryFolder? temporary,
        LocalBackup? backup)
    {
        var item = directory.ItemOf(entry.Name);
        var spec = new FileSpec
        {
            Name = item.Path,
            MappedTo = item.MappedTo,
            Kind = WorkKind.Download,
            RemotePath = source.PathOf(item.Path),
            Options = options,
            IsOwn = IsOwn(job, item),
            RoughLength = entry.Length,
            Source = SourceOf(options, source.PathOf(item.Path), item.Path, entry, target.PathOf(item.TargetPath)),
            SourceModified = entry.Modified,
            // A LIST has times in minutes, or in days for older files, in an unknown time zone.
            WantsTime = options.PreserveModified && ListedTime.IsCoarse(source.TimePrecision),
            Journaled = job.Track(item.TargetPath, entry.Length, entry.Modified, inRanges: !entry.IsLengthApproximate, options.Verify),
        };
        return new JobFile(spec, new LocalFileSink(target.PathOf(item.TargetPath), new LocalFileSinkOptions
        {
            Length = entry.ExactLength,
            Modified = options.PreserveModified ? entry.Modified : null,
            Mode = options.PreserveMode ? entry.Mode : null,
            SourceMode = entry.Mode,
            Replace = spec.Overwrite is OverwriteMode.Always or OverwriteMode.Newer,
            TemporaryName = options.Publish == PublishMode.Rename ? job.NextTemporaryName : null,
            TemporaryFolder = temporary?.Path,
            FlushToDisk = options.FlushToDisk,
            Journaled = spec.Journaled,
            BackUp = backup is null ? null : () => backup.Save(item.TargetPath),
        }));
    }

    private static SourceFile? SourceOf(TransferOptions options, string path, string relative, in TreeEntry entry, string target,
        FileIdentity? identity = null) =>
        options.NeedsSource ? new SourceFile(path, relative, entry.ExactLength, entry.Modified, target) { Identity = identity } : null;

    private static bool MayBeThere(PlannedDirectory directory, string name) =>
        !directory.IsNewAndEmpty && (directory.Side.Existing is not { } existing || existing.ContainsKey(directory.NameThere(name)));

    // A run with a batch may have left folders.
    private static async ValueTask<IReadOnlyList<TransferException?>> DeleteAsync(Dispatcher dispatcher, ClientEngine engine,
        IReadOnlyList<string> paths, CancellationToken ct)
    {
        if (!paths.Any(path => path.EndsWith('/'))) return await dispatcher.DeleteFilesAsync(paths, ct).ConfigureAwait(false);
        return await Leftovers.DeleteEachAsync(paths, async (path, recursive, token) =>
            await new RemoteDeletion(engine, null).DeleteAsync(path, recursive, token).ConfigureAwait(false), ct).ConfigureAwait(false);
    }

    // A file that an earlier run of the job wrote is the job's own to replace.
    private static bool IsOwn(EngineJob job, ItemPath item) => job.Journal?.FinishedAs(item.TargetPath) is not null;
}
