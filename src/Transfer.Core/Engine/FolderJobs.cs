using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>Jobs between a local folder and a remote one.</summary>
internal static class FolderJobs
{
    public static Task<JobResult> UploadAsync(
        ClientEngine engine, string local, string remote, FolderOptions options, IProgress<TransferProgress>? progress, CancellationToken ct) =>
        engine.MeasureAsync(NameOf("upload_directory", options), async () =>
        {
            var job = new TransferJob(NameOf("upload_directory", options), engine, new JobLimits(options.Sessions, options.Segments), progress, options.Items, ct, options.Finish);
            await using var jobEnd = job.ConfigureAwait(false);
            job.KeepJournal(options.Journaling, Path.GetFullPath(local), engine.UrlOf(remote), job.Dispatcher.DeleteFilesAsync);
            job.Dispatcher.FilesGo = WorkKind.Upload;
            var source = new LocalTree(local, engine.Logger);
            var target = new RemoteTree(job.Dispatcher, engine, remote);
            var temporary = TemporaryFolder.There(job, options, remote);
            var planner = new FolderPlanner(
                job, source, target, options, engine.UsualSessions, (directory, entry) => job.AddAsync(MakeUpload(
                    job, directory, entry, target, new LocalFileSource(source.PathOf(directory.PathOf(entry.Name)), entry.Length), options, temporary)))
            {
                Temporary = temporary,
            };
            return await job.RunAsync(planner.RunAsync, planner.FinishAsync).ConfigureAwait(false);
        }, ct);

    public static Task<JobResult> DownloadAsync(
        ClientEngine engine, string remote, string local, FolderOptions options, IProgress<TransferProgress>? progress, CancellationToken ct) =>
        engine.MeasureAsync(NameOf("download_directory", options), async () =>
        {
            var job = new TransferJob(NameOf("download_directory", options), engine, new JobLimits(options.Sessions, options.Segments), progress, options.Items, ct, options.Finish);
            await using var jobEnd = job.ConfigureAwait(false);
            job.KeepJournal(options.Journaling, engine.UrlOf(remote), Path.GetFullPath(local), static (paths, _) => new(LocalFiles.Delete(paths)));
            job.Dispatcher.FilesGo = WorkKind.Download;
            var source = new RemoteTree(job.Dispatcher, engine, remote);
            var target = new LocalTree(local, engine.Logger);
            var temporary = TemporaryFolder.Here(job, options, local);
            var planner = new FolderPlanner(
                job, source, target, options, engine.UsualSessions,
                (directory, entry) => job.AddAsync(MakeDownload(job, directory, entry, source, target, options, temporary)), options.Sessions)
            {
                Temporary = temporary,
            };
            return await job.RunAsync(token =>
            {
                if (options.Sessions is null && !options.DryRun) job.Dispatcher.ExpectFolder();
                return planner.RunAsync(token);
            }, planner.FinishAsync).ConfigureAwait(false);
        }, ct);

    /// <summary>A job's name in metrics and logs.</summary>
    public static string NameOf(string operation, FolderOptions options) => options is SyncOptions ? "synchronize" : operation;

    /// <summary>A file of a folder that goes to a server.</summary>
    public static JobFile MakeUpload(
        TransferJob job, PlannedDirectory directory, TreeEntry entry, RemoteTree target, EngineContent content, FolderOptions options, TemporaryFolder? temporary)
    {
        var relative = directory.PathOf(entry.Name);
        return new JobFile
        {
            Name = relative,
            Kind = WorkKind.Upload,
            RemotePath = target.PathOf(relative),
            Content = content,
            Metadata = options.PreserveModified && entry.Modified is { } modified ? new FileMetadata { Modified = modified } : null,
            Overwrite = ExistingOf(job, relative, options),
            Journaled = job.Track(relative, entry.Length, entry.Modified, content.MayContinue, options.Verify),
            Publish = options.Publish,
            TemporaryFolder = temporary?.Path,
            Verify = options.Verify,
            FlushToDisk = options.FlushToDisk,
        };
    }

    private static JobFile MakeDownload(
        TransferJob job, PlannedDirectory directory, TreeEntry entry, RemoteTree source, LocalTree target, FolderOptions options, TemporaryFolder? temporary)
    {
        var relative = directory.PathOf(entry.Name);
        var (overwrite, journaled) = (ExistingOf(job, relative, options), job.Track(relative, entry.Length, entry.Modified, inRanges: true, options.Verify));
        return new JobFile
        {
            Name = relative,
            Kind = WorkKind.Download,
            RemotePath = source.PathOf(relative),
            Content = new LocalFileSink(target.PathOf(relative), new LocalFileSinkOptions
            {
                Length = entry.Length,
                Modified = options.PreserveModified ? entry.Modified : null,
                Replace = overwrite is Overwrite.Always or Overwrite.Newer,
                TemporaryName = options.Publish == Publish.Rename ? job.NextTemporaryName : null,
                TemporaryFolder = temporary?.Path,
                FlushToDisk = options.FlushToDisk,
                Journaled = journaled,
            }),
            SourceModified = entry.Modified,
            Overwrite = overwrite,
            Journaled = journaled,
            Publish = options.Publish,
            Verify = options.Verify,
        };
    }

    // What an earlier run of the job has put there is its own to replace.
    private static Overwrite ExistingOf(TransferJob job, string name, FolderOptions options) =>
        job.Journal?.FinishedAs(name) is null ? options.Existing : Overwrite.Always;
}
