using Microsoft.Extensions.Options;

namespace Transfer.DropFolder;

/// <summary>
/// Moves what is put into a local folder to a server: each file goes from here when it has arrived there and has not changed since. The
/// files of a round are one job, so that a thousand of them cost no more round trips
/// than a folder.
/// </summary>
internal sealed partial class DropFolderWorker(
    [FromKeyedServices("inbox")] TransferClient inbox, IOptions<DropFolderOptions> options, TimeProvider time,
    ILogger<DropFolderWorker> logger) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var folder = Directory.CreateDirectory(options.Value.Path);
        using var timer = new PeriodicTimer(options.Value.Interval, time);
        do
        {
            try
            {
                await MoveAsync(folder, stoppingToken);
            }
            catch (TransferException e)
            {
                LogNothingSent(e, options.Value.Interval);
            }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    private async Task MoveAsync(DirectoryInfo folder, CancellationToken ct)
    {
        var settled = time.GetUtcNow() - options.Value.Settled;
        // As many as a result tells the failures of.
        var files = folder.EnumerateFiles().Where(file => file.LastWriteTimeUtc < settled).Take(JobResult.MaxFailures).Select(
            file => (File: file, file.Length, Written: file.LastWriteTimeUtc)).ToList();
        if (files.Count == 0) return;
        var uploads = files.Select(file => new FileUpload(file.File.FullName, file.File.Name)).ToAsyncEnumerable();
        var job = await inbox.UploadFilesAsync(uploads, new FilesOptions { Overwrite = OverwriteMode.Always }, cancellationToken: ct);
        foreach (var failure in job.Failures) LogNotSent(failure.Path, failure.Error?.Error);
        var failed = job.Failures.Select(failure => failure.Path).ToHashSet();
        foreach (var (file, length, written) in files.Where(file => !failed.Contains(file.File.FullName)))
        {
            file.Refresh();
            if (file.Length == length && file.LastWriteTimeUtc == written) file.Delete();
        }

        LogSent(job.Files, job.Bytes);
    }

    [LoggerMessage(LogLevel.Information, "{Files} files sent, {Bytes} bytes")]
    private partial void LogSent(long files, long bytes);

    [LoggerMessage(LogLevel.Warning, "{Path} was not sent: {Error}")]
    private partial void LogNotSent(string path, TransferError? error);

    [LoggerMessage(LogLevel.Warning, "Nothing could be sent; trying again in {Interval}")]
    private partial void LogNothingSent(Exception reason, TimeSpan interval);
}
