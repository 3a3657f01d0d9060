using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Sealing;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Batch;

/// <summary>
/// Sends folders to a <see cref="BatchReceiver"/>: many small files travel as a stream of sealed archives over a few TLS connections,
/// without a round trip for each file.
/// </summary>
public sealed class BatchSender
{
    private readonly BatchAddress _address;
    private readonly ServerMeter _meter;
    private readonly BatchSenderOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;

    /// <summary>Creates a sender, without a connection.</summary>
    /// <param name="address">The receiver's <see cref="BatchReceiver.Address"/>.</param>
    /// <param name="options">How to send.</param>
    public BatchSender(BatchAddress address, BatchSenderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(address);
        _options = options ?? new BatchSenderOptions();
        if (_options.Sessions is { } sessions)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(sessions, 1, nameof(options));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(sessions, ReceivingJobs.MaxLanes, nameof(options));
        }
        if (_options.MaxBytesPerSecond is { } rate) ArgumentOutOfRangeException.ThrowIfLessThan(rate, 1, nameof(options));
        if (_options is { MaxBytesPerSecond: not null, RateSchedule: not null })
            throw new ArgumentException("RateSchedule must be null where MaxBytesPerSecond is not.", nameof(options));
        JobBuffers.Check(_options.MaxBufferBytes, Lanes, nameof(options));
        BatchPackOptions.Check(_options.ArchiveBytes, _options.ArchiveFiles, nameof(options));
        _options.Retry.Validate();
        _address = address;
        _meter = new ServerMeter(new Uri(address.ToString()));
        _time = _options.TimeProvider;
        _logger = PrintableLogger.Create(_options.LoggerFactory, "Transfer.Batch");
    }

    /// <summary>Sends the content of a folder into the receiver's folder.</summary>
    /// <param name="folder">The folder, on this machine.</param>
    /// <param name="progress">Receives the state of the job, about ten times a second.</param>
    /// <param name="cancellationToken">Stops the job; files that have arrived stay.</param>
    /// <returns>The result, once every file is safe at the receiver or has failed.</returns>
    /// <exception cref="TransferException">
    /// The folder can't be read, or the receiver can't be reached (any more): <see cref="TransferError.Lost"/>,
    /// <see cref="TransferError.Timeout"/>. The receiver is not the one of the token: <see cref="TransferError.Tls"/>. The receiver doesn't
    /// know the token: <see cref="TransferError.Auth"/>, or takes no more jobs: <see cref="TransferError.Denied"/>.
    /// </exception>
    public Task<JobResult> SendAsync(string folder, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartSend(folder, readItems: false, progress, cancellationToken).Completion;

    /// <summary>
    /// Starts <see cref="SendAsync"/>. After <see cref="TransferJob.StopAsync"/> no further file begins, and files under way are confirmed.
    /// If files remain, the receiver waits as for a sender whose connections were lost: <see cref="BatchSenderOptions.Resume"/> sends the
    /// rest.
    /// </summary>
    /// <inheritdoc cref="SendAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public TransferJob StartSend(string folder, bool readItems = false, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        var full = LocalPath.Full(folder);
        return TransferJob.Start(
            job => _meter.MeasureAsync("send", _time, () => RunAsync(full, job), job.CancellationToken), readItems, progress,
            cancellationToken);
    }

    internal async Task<JobResult> RunAsync(string folder, TransferJobContext job)
    {
        var ct = job.CancellationToken;
        ct.ThrowIfCancellationRequested();
        var started = _time.GetTimestamp();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var reporter = new ProgressReporter(job.Progress, _time, stop) { Meter = _meter, Direction = WorkKind.Upload };
        await using var reporting = reporter.ConfigureAwait(false);
        using var journal = OpenJournal(folder);
        using var shared = new SharedKey(_address.Token.DeriveKey(DirectSealing.Purpose));
        using var keys = JobKeys.Create(shared);
        var questions = _options.Deltas ? new SignatureRequests(_time, _logger) : null;
        using var ending = job.Stopping.UnsafeRegister(static questions => ((SignatureRequests?)questions)?.End(), questions);
        var buffers = JobBuffers.ForSending(_options.MaxBufferBytes, Lanes, _options.Deltas);
        var archives = FolderArchives.Open(folder, PackOptions(reporter, journal, job) with { Bases = questions, Buffers = buffers }, keys);
        await using var packing = archives.ConfigureAwait(false);
        var board = new LaneBoard();
        using var sessions = job.AddSessions(board.Read);
        CarriedJob carried;
        try
        {
            carried = await LinkCarrier.CarryAsync(archives, keys.Job.ToArray(), Dialer(buffers),
                CarrierOptions(job) with { Questions = questions, Board = board }, stop.Token).ConfigureAwait(false);
            await archives.CompleteAsync(null).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await archives.CompleteAsync(
                e as TransferException ?? new TransferException(TransferError.Lost, "The job was broken off.", e)).ConfigureAwait(false);
            if (reporter.Fault is { } fault && !ct.IsCancellationRequested) throw fault;
            throw;
        }
        var result = archives.Tally.ToResult(_time.GetElapsedTime(started), carried.Lanes) with { Retries = carried.Retries };
        if (result.Failed == 0) journal?.Delete();
        return result;
    }

    /// <summary>The job that a journal records: the same folder and the same receiver. Another receiver at the same address has none of the
    /// files, so the fingerprint belongs to the name.</summary>
    internal static string JobName(string folder, BatchAddress address) =>
        $"send {folder} {address} {Convert.ToHexStringLower(address.Token.Fingerprint)}";

    private int Lanes => _options.Sessions ?? LaneModel.Most;

    private ItemJournal? OpenJournal(string folder)
    {
        var job = JobName(folder, _address);
        var path = _options.Journal ?? (_options.Resume ? JournalDirectory.OfUser()?.JournalFor(job) : null);
        if (path is not null) return ItemJournal.OpenIfRoom(path, job, _options.Resume, _logger);
        if (!_options.Resume) return null;
        throw new TransferException(TransferError.Unsupported,
            "Resume needs a journal, and this user has no home directory for one: set BatchSenderOptions.Journal.");
    }

    private BatchPackOptions PackOptions(ProgressReporter progress, ItemJournal? journal, TransferJobContext job) => new BatchPackOptions
    {
        Compress = _options.Compress,
        Filter = _options.Filter,
        Links = _options.Links,
        Finish = job.Stopping,
        Items = job.Items,
        Room = job.WhenItemsAreReadAsync,
        Progress = progress,
        Journal = journal,
        Logger = _logger,
    }.Cut(_options.ArchiveBytes ?? LaneModel.ArchiveBytes, _options.ArchiveFiles);

    private DirectDialer Dialer(JobBuffers buffers) =>
        new(_address, _options.Dial, _options.IdleTimeout, _options.LogInTimeout, _logger, _time, buffers.Ahead);

    private LinkCarrierOptions CarrierOptions(TransferJobContext job) => new()
    {
        Lanes = _options.Sessions,
        Retry = _options.Retry,
        Flow = _options.RateSchedule is { } schedule ? ContentPace.OfSchedule(schedule, job, _time)
                : ContentPace.Of(_options.MaxBytesPerSecond, job, _time),
        Finish = job.Stopping,
        Logger = _logger,
        Time = _time,
    };
}
