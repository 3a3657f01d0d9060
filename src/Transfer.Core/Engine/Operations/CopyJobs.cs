using Transfer.Engine.Backups;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Planning;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Segments;
using Transfer.Names;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>
/// Jobs between two servers: uploads with downloads as contents. Within one server that copies files itself, no bytes come through this
/// process.
/// </summary>
internal static class CopyJobs
{
    public static Task<JobResult> CopyFileAsync(
        ClientEngine from, string sourcePath, ClientEngine to, string targetPath, UploadOptions options, TransferJobContext context) =>
        to.MeasureAsync("copy", async () =>
        {
            if (options.Publish == PublishMode.Direct)
            {
                await FolderOverlap.RefuseAsync(from, sourcePath, to, targetPath, options, context.CancellationToken)
                    .ConfigureAwait(false);
            }
            var inside = options is { Verify: not VerificationMode.Hash, BackupDirectory: null, DisposesSource: false }
                && await CopiesInsideAsync(from, to, context.CancellationToken).ConfigureAwait(false);
            // An undivided file gets all the room between the two sides.
            var segments = MostSegments(from, to, options.Segments);
            var sessions = inside ? 1 : Sessions(from, to, segments);
            var job = new EngineJob("copy", to, JobLimits.OfCopy(sessions, segments, from, to), context);
            await using var jobEnd = job.ConfigureAwait(false);
            await job.LockAsync(options.Locking, from.UrlOf(sourcePath), to.UrlOf(targetPath)).ConfigureAwait(false);
            job.KeepJournal(options.Journaling, from.UrlOf(sourcePath), to.UrlOf(targetPath), job.Dispatcher.DeleteFilesAsync,
                namesAll: true);
            var source = new CopySource(from, sessions, context, job.Abort) { IsInPlace = options.Publish == PublishMode.Direct };
            await using var sourceEnd = source.ConfigureAwait(false);
            var temporary = TemporaryFolder.Remote(options.TemporaryDirectory, RemotePath.GetParent(targetPath) ?? "/");
            using var copies = new ServerCopies(job, options.Publish, temporary, 1);
            SourceDisposal.OfRemote(job, options, source, source.Dispatcher, from, CopyPlaces.Across(job, source, from, to));
            var (result, _) = await job.RunSingleAsync(new ItemPath(RemotePath.GetName(targetPath), null), async token =>
            {
                // The source's own folder is refused before anything moves.
                _ = BackupFolder.Remote(options.MoveSourceTo, RemotePath.GetParent(sourcePath) ?? "/", source, source.Dispatcher);
                var entry = await FileJobs.LookAsync(from, sourcePath, token).ConfigureAwait(false);
                var newest = options.Modified ?? entry?.Modified;
                var (stamp, opener) = (SourceStamp.Of(entry?.Length, entry?.Modified), FileJobs.OpenerOf(from, sourcePath));
                var name = RemotePath.GetName(targetPath);
                if (await FileJobs.AdmitAsync(job, to, targetPath, options, newest, token, name, stamp, opener).ConfigureAwait(
                    false) is not { } overwrite)
                {
                    return null;
                }

                var modified = options.Modified ?? (options.PreserveModified ? entry?.Modified : null);
                var content = new CopyContent(source, sourcePath, ExactLengthOf(entry), entry?.Modified);
                var original = options.NeedsSource
                    ? new SourceFile(sourcePath, RemotePath.GetName(sourcePath), ExactLengthOf(entry), entry?.Modified, targetPath) : null;
                var journaled = job.Track(name, entry?.Length, entry?.Modified, content.HasRanges, options.Verify);
                var file = FileJobs.Upload(job, targetPath, content, options,
                    FileMetadata.Of(modified, options.Mode ?? (options.PreserveMode ? entry?.Mode : null)), entry?.Mode, journaled,
                    overwrite: overwrite, source: original);
                if (content.HasRanges && content.Length >= SegmentedFile.LeastLength && sessions > 1)
                {
                    job.Dispatcher.ExpectFile(WorkKind.Upload, content.Length);
                    source.Dispatcher.ExpectFile(WorkKind.Download, content.Length);
                }
                if (!inside) return file;
                if (await copies.TryCopyAsync(Copy(job, sourcePath, file), file).ConfigureAwait(false)) return null;
                Sessions(from, to, 1);
                return file;
            }, options.Overwrite).ConfigureAwait(false);
            return result;
        }, context.CancellationToken);

    public static Task<JobResult> CopyDirectoryAsync(
        ClientEngine from, string sourcePath, ClientEngine to, string targetPath, DirectoryJobOptions options,
        TransferJobContext context) =>
        to.MeasureAsync(FolderJobs.NameOf("copy_directory", options), async () =>
        {
            await FolderOverlap.RefuseAsync(from, sourcePath, to, targetPath, options, context.CancellationToken).ConfigureAwait(false);
            var inside = options is { Verify: not VerificationMode.Hash, BackupDirectory: null, DisposesSource: false }
                && await CopiesInsideAsync(from, to, context.CancellationToken).ConfigureAwait(false);
            var sessions = inside && to.MaxSessions == 1 ? 1 : Sessions(from, to, options.Sessions);
            var job = new EngineJob(FolderJobs.NameOf("copy_directory", options), to,
                JobLimits.OfCopy(sessions, MostSegments(from, to, options.Segments), from, to), context);
            await using var jobEnd = job.ConfigureAwait(false);
            await job.LockAsync(options.Locking, from.UrlOf(sourcePath), to.UrlOf(targetPath)).ConfigureAwait(false);
            job.KeepJournal(options.Journaling, from.UrlOf(sourcePath), to.UrlOf(targetPath), job.Dispatcher.DeleteFilesAsync);
            var source = new CopySource(from, sessions, context, job.Abort) { IsInPlace = options.Publish == PublishMode.Direct };
            await using var sourceEnd = source.ConfigureAwait(false);
            var temporary = TemporaryFolder.Remote(job, options, targetPath);
            var backup = BackupFolder.Remote(options.BackupDirectory, targetPath, job);
            SourceDisposal.OfRemote(job, options, source, source.Dispatcher, from, CopyPlaces.Across(job, source, from, to));
            var archive = BackupFolder.Remote(options.MoveSourceTo, sourcePath, source, source.Dispatcher);
            using var copies = new ServerCopies(job, options.Publish, temporary?.Path,
                Math.Clamp(options.Sessions ?? to.UsualSessions, 1, to.MaxSessions));
            var tree = new RemoteTree(source.Dispatcher, from, sourcePath);
            var target = new RemoteTree(job.Dispatcher, to, targetPath);
            var planner = new FolderPlanner(job, tree, target, options, sessions, (directory, entry) =>
            {
                var path = tree.PathOf(directory.PathOf(entry.Name));
                var file = FolderJobs.MakeUpload(job, directory, entry, target,
                    new CopyContent(source, path, entry.ExactLength, entry.Modified), options, temporary, backup, path);
                if (!inside) return job.AddAsync(file);
                return copies.SendAsync(Copy(job, path, file), file, () =>
                {
                    Sessions(from, to, null);
                    return job.AddAsync(file);
                });
            }, backup: backup)
            {
                Temporary = temporary,
                Archive = archive?.Within,
            };
            return await job.RunAsync(async token =>
            {
                try
                {
                    await planner.RunAsync(token).ConfigureAwait(false);
                }
                finally
                {
                    await copies.FinishAsync().ConfigureAwait(false);
                }
            }, planner.FinishAsync).ConfigureAwait(false);
        }, context.CancellationToken);

    private static long? ExactLengthOf(RemoteEntry? entry) => entry is { IsLengthApproximate: false } ? entry.Length : null;

    // Where both ends share their sessions one file must not take all of them for writing.
    private static int? MostSegments(ClientEngine from, ClientEngine to, int? asked) =>
        ReferenceEquals(from, to) || !to.DividesUploads() ? 1 : asked;

    private static async ValueTask<bool> CopiesInsideAsync(ClientEngine from, ClientEngine to, CancellationToken ct) =>
        ReferenceEquals(from, to)
        && await to.Pool.UseAsync(static (session, _) => ValueTask.FromResult(session.Features.CopiesFiles), retry: true,
            ct).ConfigureAwait(false);

    private static FileCopy Copy(EngineJob job, string source, JobFile file) => new()
    {
        Asides = job.Asides,
        Source = source,
        Target = file.RemotePath,
        Replace = file.Replace,
        Verify = file.Verify,
        FlushToDisk = file.Spec.Options.FlushToDisk,
        Metadata = file.Spec.Metadata,
        SourceMode = file.Spec.SourceMode,
    };

    // Every file in flight holds a session at both ends. Where both ends are one client, half of the sessions may write: else the writers
    // would hold them all while each waits for a reader.
    private static int Sessions(ClientEngine from, ClientEngine to, int? wanted)
    {
        var most = Math.Min(from.MaxSessions, to.MaxSessions);
        if (ReferenceEquals(from, to))
        {
            most /= 2;
            if (most == 0)
            {
                throw new TransferException(TransferError.Unsupported,
                    "A copy within one client needs two sessions, and it may open one only.");
            }
        }
        return Math.Clamp(wanted ?? Math.Min(from.UsualSessions, to.UsualSessions), 1, most);
    }
}
