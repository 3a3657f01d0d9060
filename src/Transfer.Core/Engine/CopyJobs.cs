namespace Transfer.Engine;

/// <summary>Jobs between two servers: uploads whose contents are downloads.</summary>
internal static class CopyJobs
{
    public static Task<TransferResult> CopyFileAsync(
        ClientEngine from, string sourcePath, ClientEngine to, string targetPath, UploadOptions options,
        IProgress<TransferProgress>? progress, CancellationToken ct) =>
        to.MeasureAsync("copy", async () =>
        {
            var job = new TransferJob("copy", to, new JobLimits(Sessions(from, to, 1), 1), progress, null, ct);
            await using var jobEnd = job.ConfigureAwait(false);
            var source = new CopySource(from, 1, job.Abort);
            await using var sourceEnd = source.ConfigureAwait(false);
            return await job.RunSingleAsync(async token =>
            {
                var entry = await FileJobs.LookAsync(source.Dispatcher, sourcePath, token).ConfigureAwait(false);
                var newest = options.Modified ?? entry?.Modified;
                if (!await FileJobs.AdmitAsync(job, to, targetPath, options, newest, token).ConfigureAwait(false)) return null;
                var modified = options.Modified ?? (options.PreserveModified ? entry?.Modified : null);
                return FileJobs.Upload(targetPath, new CopyContent(source, sourcePath, entry?.Length), options with { Modified = modified });
            }).ConfigureAwait(false);
        }, ct);

    public static Task<JobResult> CopyDirectoryAsync(
        ClientEngine from, string sourcePath, ClientEngine to, string targetPath, DirectoryOptions options,
        IProgress<TransferProgress>? progress, CancellationToken ct) =>
        to.MeasureAsync("copy_directory", async () =>
        {
            var sessions = Sessions(from, to, options.Sessions);
            var job = new TransferJob("copy_directory", to, new JobLimits(sessions, 1), progress, options.Items, ct);
            await using var jobEnd = job.ConfigureAwait(false);
            var source = new CopySource(from, sessions, job.Abort);
            await using var sourceEnd = source.ConfigureAwait(false);
            var tree = new RemoteTree(source.Dispatcher, from, sourcePath);
            var target = new RemoteTree(job.Dispatcher, to, targetPath);
            var planner = new FolderPlanner(
                job, tree, target, options.Overwrite, sessions, (directory, entry) => FolderJobs.MakeUpload(
                    directory, entry, target, new CopyContent(source, tree.PathOf(directory.PathOf(entry.Name)), entry.Length), options));
            return await job.RunAsync(planner.RunAsync).ConfigureAwait(false);
        }, ct);

    // Every file in flight holds a session at both ends. Where both ends are one client, half of its sessions may write: else the
    // writers would hold them all while each of them waits for a reader.
    private static int Sessions(ClientEngine from, ClientEngine to, int? wanted)
    {
        var most = Math.Min(from.MaxSessions, to.MaxSessions);
        if (ReferenceEquals(from, to))
        {
            most /= 2;
            if (most == 0)
                throw new TransferException(TransferError.Unsupported, "A copy within one client needs two sessions, and it may open one only.");
        }
        return Math.Clamp(wanted ?? most, 1, most);
    }
}
