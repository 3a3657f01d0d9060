using Transfer.Contents;
using Transfer.Engine.Backups;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Planning;
using Transfer.Engine.Recovery;
using Transfer.Engine.Scheduling;
using Transfer.Engine.Segments;
using Transfer.Journal;
using Transfer.Local;
using Transfer.Local.Contents;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>Jobs of one file.</summary>
internal static class FileJobs
{
    // The most bytes that may be sent in vain before the target's name proves taken.
    private const long SentInVain = 64 << 10;

    public static Task<JobResult> UploadAsync(ClientEngine engine, Stream source, string path, UploadOptions options,
        TransferJobContext context) =>
        engine.MeasureAsync("upload", async () =>
        {
            var (job, _) = await RunUploadAsync(engine, run => new StreamSource(source, fault => run.Keep(fault)), path, options,
                options.Modified, context).ConfigureAwait(false);
            return job;
        }, context.CancellationToken, path);

    public static Task<JobResult> UploadFileAsync(ClientEngine engine, string local, string path, UploadOptions options,
        TransferJobContext context) =>
        engine.MeasureAsync("upload", async () =>
        {
            var file = LocalUpload.Of(local);
            var time = options.Modified ?? (options.PreserveModified ? file.Modified : null);
            options = options with { Modified = time, Mode = options.Mode ?? (options.PreserveMode ? file.Mode : null) };
            var (job, _) = await RunUploadAsync(engine, null, path, options, file.Modified, context, file: file).ConfigureAwait(false);
            return job;
        }, context.CancellationToken, path);

    public static Task<JobResult> DownloadAsync(ClientEngine engine, string path, Stream destination, DownloadOptions options,
        TransferJobContext context) =>
        engine.MeasureAsync("download", async () =>
        {
            var job = new EngineJob("download", engine, JobLimits.OfStream, context);
            await using var jobEnd = job.ConfigureAwait(false);
            var (result, _) = await job.RunSingleAsync(ItemOf(path), async token =>
            {
                job.Dispatcher.ExpectFile(WorkKind.Download);
                var entry = await LookAsync(engine, path, token).ConfigureAwait(false);
                var length = entry is { IsLengthApproximate: false } ? entry.Length : null;
                return Download(path, new StreamSink(destination, length, fault => job.Keep(fault)), options);
            }, options.Overwrite).ConfigureAwait(false);
            return result;
        }, context.CancellationToken, path);

    public static Task<JobResult> DownloadFileAsync(ClientEngine engine, string path, string local, DownloadOptions options,
        TransferJobContext context) =>
        engine.MeasureAsync("download", async () =>
        {
            var job = new EngineJob("download", engine, new JobLimits(null, options.Segments), context);
            await using var jobEnd = job.ConfigureAwait(false);
            var temporary = TemporaryFolder.Local(options.TemporaryDirectory, Path.GetDirectoryName(local)!);
            await job.LockAsync(options.Locking, engine.UrlOf(path), local).ConfigureAwait(false);
            job.KeepJournal(options.Journaling, engine.UrlOf(path), local, static (paths, _) => new(LocalFiles.Delete(paths)),
                namesAll: true);
            SourceDisposal.OfRemote(job, options, job, job.Dispatcher, engine, CopyPlaces.Down(job, engine));
            var (result, _) = await job.RunSingleAsync(ItemOf(path),
                token => PlanDownloadAsync(job, engine, path, local, options, temporary, token), options.Overwrite).ConfigureAwait(false);
            return result;
        }, context.CancellationToken, path);

    /// <summary>Plans one remote file of a job; null: the existing target stays.</summary>
    /// <param name="job">The job.</param>
    /// <param name="engine">The engine of the source.</param>
    /// <param name="path">The source.</param>
    /// <param name="local">The target, as a full path.</param>
    /// <param name="options">The options.</param>
    /// <param name="temporary">The folder of the temporary name; null: the target's own.</param>
    /// <param name="token">Cancels.</param>
    /// <param name="item">The name of the file in the job; null: the job has no other.</param>
    public static async ValueTask<JobFile?> PlanDownloadAsync(
        EngineJob job, ClientEngine engine, string path, string local, FileJobOptions options, string? temporary, CancellationToken token,
        ItemPath? item = null)
    {
        var backup = BackupFolder.Local(options.BackupDirectory, Path.GetDirectoryName(local)!);
        // The source's own folder is refused before anything moves.
        _ = BackupFolder.Remote(options.MoveSourceTo, RemotePath.GetParent(path) ?? "/", job);
        if (options.Publish == PublishMode.Direct)
            await FolderOverlap.RefuseDownAsync(engine, path, local, options, token).ConfigureAwait(false);
        // Before any request to the server, unless the decision depends on the server's reply.
        var existing = LocalFiles.Find(local);
        if (options.Overwrite != OverwriteMode.Newer && job.Journal is not { Continues: true }
            && !OverwritePolicy.ShouldSend(options.Overwrite, local, null, existing, default))
        {
            return null;
        }

        if (existing is { Type: not (RemoteEntryType.File or RemoteEntryType.Link) })
            throw new TransferException(TransferError.Exists, $"{local} is not a file, and in the way of one.");
        if (item is null) job.Dispatcher.ExpectFile(WorkKind.Download);
        var entry = await LookAsync(engine, path, token).ConfigureAwait(false);
        if (item is null && entry?.Length >= SegmentedFile.LeastLength) job.Dispatcher.ExpectFile(WorkKind.Download, entry.Length);
        var (name, stamp) = (JournalNameOf(item, path, local, path), SourceStamp.Of(entry?.Length, entry?.Modified));
        Func<long, CancellationToken, ValueTask<Stream>> target = (offset, _) => FileEnds.OpenLocal(local, offset);
        if (await EarlierRuns.HaveFinishedAsync(job, name, stamp, existing, options.Overwrite, OpenerOf(engine, path), target,
            token).ConfigureAwait(false))
        {
            return null;
        }

        if (IsOlder(job, name, existing)) options = options with { Overwrite = OverwriteMode.Always };
        if ((options.Overwrite == OverwriteMode.Newer || job.Journal is { Continues: true })
            && !OverwritePolicy.ShouldSend(options.Overwrite, local, entry?.Modified, existing, RemoteTree.PrecisionOf(engine)))
        {
            return null;
        }
        var isExact = entry is not { IsLengthApproximate: true };
        var journaled = job.Track(name, entry?.Length, entry?.Modified, inRanges: isExact, options.Verify);
        var sink = new LocalFileSink(local, new LocalFileSinkOptions
        {
            Length = isExact ? entry?.Length : null,
            Modified = options.PreserveModified ? entry?.Modified : null,
            Mode = options.PreserveMode ? entry?.Mode : null,
            SourceMode = entry?.Mode,
            Replace = options.Overwrite is OverwriteMode.Always or OverwriteMode.Newer,
            TemporaryName = options.Publish == PublishMode.Rename ? job.NextTemporaryName : null,
            TemporaryFolder = temporary,
            CreateDirectories = options.CreateDirectories,
            FlushToDisk = options.FlushToDisk,
            Journaled = journaled,
            BackUp = backup is null ? null : () => backup.Save(Path.GetFileName(local)),
        });
        var source = options.NeedsSource
            ? new SourceFile(path, RemotePath.GetName(path), isExact ? entry?.Length : null, entry?.Modified, local) : null;
        return Download(path, sink, options, entry?.Modified, journaled, item, source);
    }

    public static async Task<Stream> OpenReadAsync(ClientEngine engine, string path, ReadOptions options, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var (cancel, abort) = (new CancellationTokenSource(), new CancellationTokenSource(Timeout.InfiniteTimeSpan, engine.Time));
        var pipe = new DownloadPipe(engine.ReadAhead.Take(PipeContent.Capacity, PipeContent.LeastCapacity), options.Offset);
        var spec = new FileSpec
        {
            Name = RemotePath.GetName(path),
            Kind = WorkKind.Download,
            RemotePath = path,
            Offset = options.Offset,
            End = options.Length is { } length && length < long.MaxValue - options.Offset ? options.Offset + length : long.MaxValue,
            Canceled = cancel.Token,
        };
        var file = new JobFile(spec, pipe);
        var stream = new JobReadStream(pipe, file, ReadAsync(engine, file, abort.Token), cancel, abort);
        try
        {
            await pipe.Started.WaitAsync(ct).ConfigureAwait(false);
            pipe.ThrowIfFailedBeforeFirstByte();
            return stream;
        }
        catch (Exception e)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            if (engine.IsByDisposal(e, ct)) throw ClientEngine.Disposed();
            throw;
        }
    }

    /// <summary>Reads a range of a file. Fewer bytes than wanted: the file ends there.</summary>
    public static async ValueTask<int> ReadRangeAsync(ClientEngine engine, string path, long offset, Memory<byte> buffer,
        CancellationToken ct)
    {
        var content = await OpenReadAsync(engine, path, new ReadOptions { Offset = offset, Length = buffer.Length },
            ct).ConfigureAwait(false);
        await using var contentEnd = content.ConfigureAwait(false);
        return await content.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false, ct).ConfigureAwait(false);
    }

    public static async Task<TransferWriteStream> OpenWriteAsync(ClientEngine engine, string path, UploadOptions options,
        CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var cancel = new CancellationTokenSource();
        var pipe = new UploadPipe(engine.ReadAhead.Take(PipeContent.Capacity, PipeContent.LeastCapacity));
        var admitted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var upload = engine.MeasureAsync("upload", UploadPipeAsync, cancel.Token, path);
        var stream = new JobWriteStream(pipe, upload, cancel);
        try
        {
            await Task.WhenAny(admitted.Task, upload).WaitAsync(ct).ConfigureAwait(false);
            if (upload.IsFaulted) await upload.ConfigureAwait(false);
            return stream;
        }
        catch
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        async Task<TransferResult> UploadPipeAsync()
        {
            var (_, result) = await RunUploadAsync(
                engine, _ => pipe, path, options, options.Modified, new TransferJobContext(cancellationToken: cancel.Token),
                admitted.SetResult).ConfigureAwait(false);
            return result;
        }
    }

    /// <summary>
    /// Looks at a target once before one file is sent. Null: the existing target stays; else the overwrite mode of the file.
    /// </summary>
    /// <param name="job">The job of that file.</param>
    /// <param name="engine">The engine of the target.</param>
    /// <param name="path">The target.</param>
    /// <param name="options">The options, with the treatment of an existing file.</param>
    /// <param name="modified">The source's time.</param>
    /// <param name="ct">Cancels.</param>
    /// <param name="name">The name of the file in the job's journal.</param>
    /// <param name="stamp">The stamp that distinguishes the source from another file.</param>
    /// <param name="source">Opens the source at an offset; null: the source can be read only once.</param>
    public static async ValueTask<OverwriteMode?> AdmitAsync(
        EngineJob job, ClientEngine engine, string path, FileJobOptions options, DateTimeOffset? modified, CancellationToken ct,
        string name = "", SourceStamp stamp = default,
        Func<long, CancellationToken, ValueTask<Stream>>? source = null)
    {
        var temporary = TemporaryFolderOf(path, options);
        if (FolderOf(path, options) is { } folder) await job.Dispatcher.EnsureAsync(folder, ct).ConfigureAwait(false);
        if (options.CreateDirectories && temporary is not null) await job.Dispatcher.EnsureAsync(temporary, ct).ConfigureAwait(false);
        // The existing file does not matter, unless written by an earlier run of the job.
        if (options.Overwrite == OverwriteMode.Always
            && (!stamp.IsKnown || job.Journal is not { Continues: true } journal || journal.FinishedAs(name) != stamp))
        {
            return OverwriteMode.Always;
        }

        var there = await engine.Looks.GetAsync(path, ct).ConfigureAwait(false);
        TreeEntry? existing = there is null ? null : TreeEntry.From(there, there.Name);
        engine.FindsNamesFree = existing is null;
        if (await EarlierRuns.HaveFinishedAsync(job, name, stamp, existing, options.Overwrite, source, OpenerOf(engine, path),
            ct).ConfigureAwait(false))
        {
            return null;
        }

        if (IsOlder(job, name, existing)) return OverwriteMode.Always;
        return OverwritePolicy.ShouldSend(options.Overwrite, path, modified, existing, RemoteTree.PrecisionOf(engine)) ? options.Overwrite
            : null;
    }

    // In a job of several files, two may have one name or one target.
    private static string JournalNameOf(ItemPath? item, string source, string target, string remote) =>
        item is null ? RemotePath.GetName(remote) : source + '\0' + target;

    // The folder that the file needs and that may not exist.
    private static string? FolderOf(string path, FileJobOptions options) =>
        options.CreateDirectories && RemotePath.GetParent(path) is { } folder and not ("/" or RemotePath.Home) ? folder : null;

    private static string? TemporaryFolderOf(string path, FileJobOptions options) =>
        TemporaryFolder.Remote(options.TemporaryDirectory, RemotePath.GetParent(path) ?? "/");

    // Whether an earlier run of the job wrote the file, from a source that has changed since.
    private static bool IsOlder(EngineJob job, string name, TreeEntry? existing) =>
        job.Journal is { Continues: true } journal && existing is { Type: RemoteEntryType.File, ExactLength: { } length }
        && journal.FinishedAs(name)?.Length == length;

    /// <summary>Opens a remote file at an offset.</summary>
    public static Func<long, CancellationToken, ValueTask<Stream>> OpenerOf(ClientEngine engine, string path) =>
        async (offset, ct) => await OpenReadAsync(engine, path, new ReadOptions { Offset = offset }, ct).ConfigureAwait(false);

    /// <summary>Looks once at a source, for length and time; null where the server reports none.</summary>
    public static async ValueTask<RemoteEntry?> LookAsync(ClientEngine engine, string path, CancellationToken ct)
    {
        RemoteEntry? entry;
        try
        {
            entry = await engine.Lengths.GetAsync(path, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // Some servers serve files that they do not describe.
            return null;
        }
        // Reading a pipe may have no end. Some servers have files of types of their own, with a length.
        if (entry is { Type: RemoteEntryType.Other, Length: null or 0 })
        {
            throw new TransferException(TransferError.Unsupported,
                $"{path} is neither a file nor a link to one, but a pipe, a socket or a device.")
            { RemotePath = path };
        }
        return entry?.Type == RemoteEntryType.Directory
            ? throw new TransferException(TransferError.Unsupported, $"{path} is a directory.") { RemotePath = path }
            : entry;
    }

    /// <summary>Returns the file of an upload.</summary>
    public static JobFile Upload(
        EngineJob job, string path, EngineContent content, FileJobOptions options, FileMetadata? metadata, UnixFileMode? sourceMode,
        JournaledFile? journaled = null, string? folder = null, ItemPath? item = null, OverwriteMode? overwrite = null,
        bool isUnseen = false, SourceFile? source = null)
    {
        var backup = BackupFolder.Remote(options.BackupDirectory, RemotePath.GetParent(path) ?? "/", job);
        var spec = new FileSpec
        {
            Name = item?.Path ?? RemotePath.GetName(path),
            MappedTo = item?.MappedTo,
            Kind = WorkKind.Upload,
            RemotePath = path,
            Options = options,
            IsOwn = overwrite is not null && overwrite != options.Overwrite,
            IsTargetUnseen = isUnseen,
            Metadata = metadata,
            SourceMode = sourceMode,
            Folder = folder,
            TemporaryFolder = TemporaryFolderOf(path, options),
            Backup = backup is null ? null : new FileBackup(backup, RemotePath.GetName(path)),
            Source = source,
            Journaled = journaled,
        };
        return new JobFile(spec, content);
    }

    private static JobFile Download(
        string path, EngineContent content, FileJobOptions options, DateTimeOffset? modified = null, JournaledFile? journaled = null,
        ItemPath? item = null, SourceFile? source = null)
    {
        var spec = new FileSpec
        {
            Name = item?.Path ?? RemotePath.GetName(path),
            MappedTo = item?.MappedTo,
            Kind = WorkKind.Download,
            Source = source,
            RemotePath = path,
            Options = options,
            SourceModified = modified,
            Journaled = journaled,
        };
        return new JobFile(spec, content);
    }

    private static async Task<(JobResult Job, TransferResult File)> RunUploadAsync(
        ClientEngine engine, Func<EngineJob, EngineContent>? content, string path, UploadOptions options, DateTimeOffset? modified,
        TransferJobContext context, Action? admitted = null,
        LocalUpload? file = null)
    {
        var job = new EngineJob("upload", engine, file is null ? JobLimits.OfStream : new JobLimits(null, options.Segments), context);
        await using var jobEnd = job.ConfigureAwait(false);
        if (file is not null)
        {
            await job.LockAsync(options.Locking, file.Path, engine.UrlOf(path)).ConfigureAwait(false);
            job.KeepJournal(options.Journaling, file.Path, engine.UrlOf(path), job.Dispatcher.DeleteFilesAsync, namesAll: true);
            SourceDisposal.OfLocal(job, options, CopyPlaces.Up(job, engine));
        }
        try
        {
            return await job.RunSingleAsync(ItemOf(path), PlanAsync, options.Overwrite).ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.Exists)
        {
            engine.FindsNamesFree = false;
            throw;
        }

        async ValueTask<JobFile?> PlanAsync(CancellationToken token)
        {
            job.Dispatcher.ExpectFile(WorkKind.Upload, engine.DividesUploads() ? file?.Length : null);
            var metadata = FileMetadata.Of(options.Modified, options.Mode);
            if (file is not null) return await PlanUploadAsync(job, engine, file, path, options, metadata, token).ConfigureAwait(false);
            if (await AdmitAsync(job, engine, path, options, modified, token).ConfigureAwait(false) is null) return null;
            admitted?.Invoke();
            return Upload(job, path, content!(job), options, metadata, null);
        }
    }

    /// <summary>Plans one local file of a job; null: the existing target stays.</summary>
    /// <param name="job">The job.</param>
    /// <param name="engine">The engine of the target.</param>
    /// <param name="file">The local file.</param>
    /// <param name="path">The target.</param>
    /// <param name="options">The options.</param>
    /// <param name="metadata">The metadata to set.</param>
    /// <param name="ct">Cancels.</param>
    /// <param name="item">The name of the file in the job; null: the name of the target.</param>
    public static async ValueTask<JobFile?> PlanUploadAsync(
        EngineJob job, ClientEngine engine, LocalUpload file, string path, FileJobOptions options, FileMetadata? metadata,
        CancellationToken ct, ItemPath? item = null)
    {
        // The source's own folder is refused before anything moves.
        _ = BackupFolder.Local(options.MoveSourceTo, Path.GetDirectoryName(file.Path)!);
        if (options.Publish == PublishMode.Direct)
            await FolderOverlap.RefuseUpAsync(file.Path, engine, path, options, ct).ConfigureAwait(false);
        // A replayable upload finds out whether the folder exists. Not so the rename out of a temporary folder, which would fail the file.
        var folder = options.TemporaryDirectory is not null ? null : FolderOf(path, options);
        if (folder is not null) options = options with { CreateDirectories = false };
        var (name, stamp) = (JournalNameOf(item, file.Path, path, path), SourceStamp.Of(file.Length, file.Modified));
        // Newer compares the source's time, also where that is not preserved.
        // The looks of a list leave together anyway, and all of the targets may exist.
        var isUnseen = item is null && LooksBesideContent(job, engine, file, options);
        OverwriteMode? admitted = isUnseen
            ? options.Overwrite
            : await AdmitAsync(job, engine, path, options, file.Modified, ct, name, stamp,
                (offset, _) => FileEnds.OpenLocal(file.Path, offset)).ConfigureAwait(false);
        if (admitted is not { } overwrite) return null;
        var journaled = job.Track(name, file.Length, file.Modified, options.BackupDirectory is null, options.Verify);
        var source = !options.DisposesSource ? null
            : new SourceFile(file.Path, Path.GetFileName(file.Path), file.Length, file.Modified, path)
            {
                // Written in place, a file that is its own target stays the same one.
                Identity = FileIdentity.Of(file.Path, unchanged: options.Publish == PublishMode.Direct),
            };
        return Upload(job, path, new LocalFileSource(file.Path, file.Length), options, metadata, file.Mode, journaled, folder, item,
            overwrite, isUnseen, source);
    }

    // A separate look would be a round trip in front of a small file, and take a session away from other files.
    private static bool LooksBesideContent(EngineJob job, ClientEngine engine, LocalUpload file, FileJobOptions options) =>
        options is
        {
            Overwrite: OverwriteMode.Fail, Publish: PublishMode.Rename, Verify: not VerificationMode.Hash,
            TemporaryDirectory: null, BackupDirectory: null
        }
        && file.Length <= SentInVain && job.Journal is not { Continues: true } && engine.FindsNamesFree
        && engine.Pool.LastFeatures is { LooksBesideContent: true };

    private static Task<TransferResult> ReadAsync(ClientEngine engine, JobFile file, CancellationToken abort) =>
        engine.MeasureAsync("read", async () =>
        {
            var job = new EngineJob("read", engine, JobLimits.OfStream, new TransferJobContext(cancellationToken: abort));
            await using var jobEnd = job.ConfigureAwait(false);
            var (_, result) = await job.RunSingleAsync(ItemOf(file.RemotePath),
                _ => ValueTask.FromResult<JobFile?>(file), OverwriteMode.Always).ConfigureAwait(false);
            return result;
        }, abort, file.RemotePath);

    // A job of one file has one item, with the file's name.
    private static ItemPath ItemOf(string path) => new(RemotePath.GetName(path), null);
}
