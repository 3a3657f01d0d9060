using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Transfer.Contents;
using Transfer.Engine.Backups;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Planning;
using Transfer.Engine.Scheduling;
using Transfer.Local;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Operations;

/// <summary>Jobs of files that come one by one from the caller, as long as there are more.</summary>
internal static class FileListJobs
{
    // The files looked at side by side: their looks leave together. Later files are not requested from the caller yet.
    private const int LookedAt = 256;

    // The most names in one request to the server.
    private const int DeletedTogether = 1024;
    private const int Deleters = 2;

    private const string Files = "local files";

    public static Task<JobResult> UploadAsync(
        ClientEngine engine, IAsyncEnumerable<FileUpload> files, Func<FileUpload, string> target, FilesOptions options,
        TransferJobContext context) =>
        RunAsync("upload_files", engine, WorkKind.Upload, files, options, static file => new(file.LocalPath, null),
            file => (LocalPath.Full(file.LocalPath), target(file)), (job, file, item, token) =>
        {
            var local = LocalUpload.Of(LocalPath.Full(file.LocalPath));
            var metadata = FileMetadata.Of(options.PreserveModified ? local.Modified : null, options.PreserveMode ? local.Mode : null);
            return FileJobs.PlanUploadAsync(job, engine, local, target(file), options, metadata, token, item);
        }, context);

    public static Task<JobResult> DownloadAsync(
        ClientEngine engine, IAsyncEnumerable<FileDownload> files, Func<FileDownload, (string Remote, string Local)> paths,
        FilesOptions options,
        TransferJobContext context) =>
        RunAsync("download_files", engine, WorkKind.Download, files, options, static file => new(file.RemotePath, null),
            paths, (job, file, item, token) =>
        {
            var (remote, local) = paths(file);
            return FileJobs.PlanDownloadAsync(job, engine, remote, local, options,
                TemporaryFolder.Local(options.TemporaryDirectory, Path.GetDirectoryName(local)!), token, item);
        }, context);

    public static Task<JobResult> DeleteAsync(
        ClientEngine engine, IAsyncEnumerable<string> paths, Func<string, string> resolve, TransferJobContext context) =>
        engine.MeasureAsync("delete_files", async () =>
        {
            var job = new EngineJob("delete_files", engine, new JobLimits(Deleters), context);
            await using var jobEnd = job.ConfigureAwait(false);
            return await job.RunAsync(async token =>
            {
                using var stop = CancellationTokenSource.CreateLinkedTokenSource(token);
                var line = Channel.CreateBounded<string>(DeletedTogether * Deleters);
                var work = Enumerable.Range(0, Deleters).Select(_ => DeleteAsync(job, line.Reader, resolve, stop)).ToList();
                try
                {
                    await foreach (var path in paths.WithCancellation(stop.Token).ConfigureAwait(false))
                        await line.Writer.WriteAsync(path, stop.Token).ConfigureAwait(false);
                    line.Writer.Complete();
                }
                catch (Exception e)
                {
                    line.Writer.Complete(e);
                }
                await Task.WhenAll(work).ConfigureAwait(false);
            }).ConfigureAwait(false);
        }, context.CancellationToken);

    private static Task<JobResult> RunAsync<T>(
        string operation, ClientEngine engine, WorkKind kind, IAsyncEnumerable<T> files, FilesOptions options,
        Func<T, ItemPath> itemOf, Func<T, (string Source, string Target)> endsOf,
        Func<EngineJob, T, ItemPath, CancellationToken, ValueTask<JobFile?>> plan, TransferJobContext context) =>
        engine.MeasureAsync(operation, async () =>
        {
            var job = new EngineJob(operation, engine, new JobLimits(options.Sessions, options.Segments), context);
            await using var jobEnd = job.ConfigureAwait(false);
            // The files come from the caller: jobs with one server are the same job if they have the same journal.
            var (source, target) = kind == WorkKind.Upload ? (Files, engine.UrlOf("/")) : (engine.UrlOf("/"), Files);
            await job.LockAsync(options.Locking, source, target).ConfigureAwait(false);
            job.KeepJournal(
                options.Journaling, source, target,
                kind == WorkKind.Upload ? job.Dispatcher.DeleteFilesAsync : static (paths, _) => new(LocalFiles.Delete(paths)),
                namesAll: true);
            job.Dispatcher.Direction = kind;
            if (kind == WorkKind.Upload) SourceDisposal.OfLocal(job, options, CopyPlaces.Up(job, engine));
            else SourceDisposal.OfRemote(job, options, job, job.Dispatcher, engine, CopyPlaces.Down(job, engine));
            var coming = new ComingFiles(job.Dispatcher, engine);
            return await job.RunAsync(
                token => Parallel.ForEachAsync(ClaimAsync(files, endsOf, token),
                    new ParallelOptions { MaxDegreeOfParallelism = LookedAt, CancellationToken = token },
                    async (claimed, stop) =>
            {
                var file = claimed.File;
                await job.WhenItemsAreReadAsync(stop).ConfigureAwait(false);
                var item = itemOf(file);
                coming.Begin();
                try
                {
                    if (claimed.Refusal is { } refusal) throw refusal;
                    if (await plan(job, file, item, stop).ConfigureAwait(false) is { } planned)
                        await job.AddAsync(planned).ConfigureAwait(false);
                    else job.Skip(item, OverwritePolicy.ReasonOf(options.Overwrite));
                }
                // Before the first session, a connection error fails the job: a refused log-in is not repeated for each file.
                catch (TransferException e) when (job.Dispatcher.HasRun || e is not TransferConnectionException)
                {
                    job.ReportLost(item, e);
                }
                finally
                {
                    coming.End();
                }
            })).ConfigureAwait(false);
        }, context.CancellationToken);

    // One after another, in the order of the caller.
    private static async IAsyncEnumerable<ClaimedFile<T>> ClaimAsync<T>(
        IAsyncEnumerable<T> files, Func<T, (string Source, string Target)> endsOf, [EnumeratorCancellation] CancellationToken ct)
    {
        var claims = new TargetClaims();
        await foreach (var file in files.WithCancellation(ct).ConfigureAwait(false)) yield return new(file, Claim(claims, endsOf, file));
    }

    private static TransferException? Claim<T>(TargetClaims claims, Func<T, (string Source, string Target)> endsOf, T file)
    {
        try
        {
            var (source, target) = endsOf(file);
            return claims.Claim(source, target);
        }
        catch (TransferException e)
        {
            return e;
        }
    }

    // All paths received by now go together.
    private static async Task DeleteAsync(EngineJob job, ChannelReader<string> line, Func<string, string> resolve,
        CancellationTokenSource stop)
    {
        try
        {
            while (await line.WaitToReadAsync(stop.Token).ConfigureAwait(false))
            {
                var given = new List<string>();
                while (given.Count < DeletedTogether && line.TryRead(out var path)) given.Add(path);
                if (given.Count == 0) continue;
                await job.WhenItemsAreReadAsync(stop.Token).ConfigureAwait(false);
                var errors = await job.Dispatcher.DeleteFilesAsync([.. given.Select(resolve)], stop.Token).ConfigureAwait(false);
                for (var i = 0; i < given.Count; i++)
                {
                    job.Report(new ItemResult
                    {
                        Path = given[i],
                        Action = ItemAction.Delete,
                        Error = errors[i],
                        Result = errors[i] is null ? new TransferResult { Attempts = 1 } : null
                    });
                }
            }
        }
        catch
        {
            // The reader of the paths, and the other deleters, have no more work.
            await stop.CancelAsync().ConfigureAwait(false);
            throw;
        }
    }
}
