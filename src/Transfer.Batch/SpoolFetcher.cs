using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Fetching;
using Transfer.Diagnostics;

namespace Transfer.Batch;

/// <summary>Fetches the jobs that <see cref="SpoolSender"/>s have stored for one recipient in a spool, and confirms them there.</summary>
public sealed class SpoolFetcher
{
    // The limit of timers and clocks.
    private static readonly TimeSpan MostPollInterval = TimeSpan.FromDays(30);
    private static readonly TimeSpan MostPatience = TimeSpan.FromDays(3650);

    private readonly TransferClient _client;
    private readonly string _path;
    private readonly string _name;
    private readonly SpoolKey _key;
    private readonly SpoolFetcherOptions _options;
    private readonly ILogger _logger;
    private readonly SettledJobs _settled;

    /// <summary>Creates a fetcher, without a connection.</summary>
    /// <param name="client">The client of the store, with the sessions to use. Belongs to the caller, as the key does.</param>
    /// <param name="path">The spool's folder in the store.</param>
    /// <param name="name">The recipient's name, as senders use it.</param>
    /// <param name="key">The recipient's own key pair, or the key or passphrase shared with the senders.</param>
    /// <param name="options">How to fetch.</param>
    public SpoolFetcher(TransferClient client, string path, string name, SpoolKey key, SpoolFetcherOptions options)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        if (!SpoolRecipient.IsName(name))
        {
            throw new ArgumentException($"A recipient's name has 1 to {SpoolRecipient.MostName} characters, and none that can't be seen.",
                nameof(name));
        }

        ArgumentException.ThrowIfNullOrEmpty(options.StateFolder, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Sessions, 1, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.Sessions, 64, nameof(options));
        JobBuffers.Check(options.MaxBufferBytes, options.Sessions, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(options.PollInterval, TimeSpan.Zero, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.PollInterval, MostPollInterval, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Patience, TimeSpan.Zero, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.Patience, MostPatience, nameof(options));
        if ((options.Senders.Count == 0) != (key.Public is null))
        {
            throw new ArgumentException(
                key.Public is null ? "Where a key or a passphrase is shared, senders have no keys of their own."
                : "With a key pair it must be said whose jobs are taken.", nameof(options));
        }

        RemotePath.ThrowIfInvalid(path);
        _client = client;
        _path = path;
        _name = name;
        _key = key;
        _options = options;
        _settled = new SettledJobs(options.TimeProvider);
        _logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Batch");
    }

    /// <summary>
    /// Fetches and confirms the recipient's jobs that have not been fetched yet, also those that are still being sent. Not for concurrent
    /// calls.
    /// </summary>
    /// <param name="folder">The folder into which jobs are unpacked; created if missing.</param>
    /// <param name="progress">Receives the state of the job, about ten times a second.</param>
    /// <param name="cancellationToken">Stops the job; files that have arrived stay, and the next run goes on.</param>
    /// <returns>The result. A job that is incomplete, or not as its sender made it, is a failure of its own beside those of
    /// files.</returns>
    /// <exception cref="TransferException">
    /// The store can't be reached, or the state can't be kept. <see cref="TransferError.Auth"/>: there are jobs sealed with another
    /// passphrase, and the passphrase here has never opened a job in the store; <see cref="TransferError.NotFound"/>: there are jobs for
    /// other recipients only, and there never was one of this name. Neither with <see cref="SpoolFetcherOptions.Wait"/>.
    /// </exception>
    public Task<JobResult> FetchAsync(string folder, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartFetch(folder, readItems: false, progress, cancellationToken).Completion;

    /// <summary>Starts <see cref="FetchAsync"/>. <see cref="TransferJob.StopAsync"/> breaks off the archives under way, which the next run
    /// fetches again.</summary>
    /// <inheritdoc cref="FetchAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public TransferJob StartFetch(string folder, bool readItems = false, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        var full = LocalPath.Full(folder);
        return TransferJob.Start(
            job => ClientServices.Of(_client).Meter.MeasureWholeAsync("fetch", _options.TimeProvider, () => RunAsync(full, job),
                job.CancellationToken), readItems, progress, cancellationToken);
    }

    internal async Task<JobResult> RunAsync(string folder, TransferJobContext job)
    {
        var ct = job.CancellationToken;
        ct.ThrowIfCancellationRequested();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct, job.Stopping);
        var reporter = new ProgressReporter(job.Progress, _options.TimeProvider, stop);
        await using var reporting = reporter.ConfigureAwait(false);
        var fetching = new SpoolFetching(new SpoolStore(_client, _path, _logger, job), _name, _key, folder, _options, job, _settled,
            reporter, _logger);
        await using var fetchingEnd = fetching.ConfigureAwait(false);
        try
        {
            return await fetching.RunAsync(stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (job.Stopping.IsCancellationRequested && !ct.IsCancellationRequested)
        {
            throw new OperationCanceledException(e.Message, e, job.Stopping);
        }
        catch (Exception) when (reporter.Fault is not null && !ct.IsCancellationRequested)
        {
            throw reporter.Fault;
        }
    }
}
