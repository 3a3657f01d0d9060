using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers.Spool;
using Transfer.Batch.Carriers.Spool.Records;
using Transfer.Batch.Carriers.Spool.Sending;
using Transfer.Batch.Carriers.Spool.Versions;
using Transfer.Batch.Sealing;
using Transfer.Diagnostics;
using Transfer.Local;

namespace Transfer.Batch;

/// <summary>
/// Sends folders through a spool, a folder of any store that a client reaches: many small files travel as sealed archives, once for all
/// recipients, who fetch them at any later time (<see cref="SpoolFetcher"/>). The store can read nothing, and change nothing unnoticed.
/// </summary>
public sealed class SpoolSender
{
    private readonly TransferClient _client;
    private readonly string _path;
    private readonly SpoolKey _key;
    private readonly SpoolSenderOptions _options;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;

    /// <summary>Creates a sender, without a connection.</summary>
    /// <param name="client">The client of the store, with the sessions to use. Belongs to the caller, as the key does.</param>
    /// <param name="path">The spool's folder in the store; created if missing.</param>
    /// <param name="key">The sender's own key pair, or the key or passphrase shared with the recipients.</param>
    /// <param name="options">How to send.</param>
    public SpoolSender(TransferClient client, string path, SpoolKey key, SpoolSenderOptions options)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(options);
        ArgumentException.ThrowIfNullOrEmpty(options.StateFolder, nameof(options));
        ArgumentOutOfRangeException.ThrowIfLessThan(options.Sessions, 1, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.Sessions, 64, nameof(options));
        JobBuffers.Check(options.MaxBufferBytes, options.Sessions, nameof(options));
        BatchPackOptions.Check(options.ArchiveBytes, options.ArchiveFiles, nameof(options));
        if (options.Deadline is { } deadline)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(deadline, TimeSpan.FromSeconds(1), nameof(options));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(deadline, SpoolHead.MostDeadline, nameof(options));
        }
        RemotePath.ThrowIfInvalid(path);
        _client = client;
        _path = path;
        _key = key;
        _options = options;
        _time = options.TimeProvider;
        _logger = PrintableLogger.Create(options.LoggerFactory, "Transfer.Batch");
    }

    /// <summary>Stores the content of a folder in the spool, and deletes earlier jobs of this sender that all recipients have confirmed or
    /// whose deadline has passed.</summary>
    /// <param name="folder">The folder, on this machine.</param>
    /// <param name="to">The recipients, 1 to 254, each with a unique name; with their public keys, unless the sender's key is
    /// shared.</param>
    /// <param name="progress">Receives the state of the job, about ten times a second.</param>
    /// <param name="cancellationToken">Stops the job. Archives in the store stay for the next run to resume or to delete.</param>
    /// <returns>The result, once every file is in the store or has failed; independent of whether recipients have fetched.</returns>
    /// <exception cref="TransferException">The folder can't be read, or the store can't be reached or written to.</exception>
    public Task<JobResult> SendAsync(string folder, IReadOnlyList<SpoolRecipient> to, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default) =>
        StartSend(folder, to, readItems: false, progress, cancellationToken).Completion;

    /// <summary>
    /// Starts <see cref="SendAsync"/>. After <see cref="TransferJob.StopAsync"/> no further file begins; files under way are stored, and
    /// recipients can fetch them. If files remain, <see cref="SpoolSenderOptions.Resume"/> sends the rest, in a job of its own.
    /// </summary>
    /// <inheritdoc cref="SendAsync" path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public TransferJob StartSend(
        string folder, IReadOnlyList<SpoolRecipient> to, bool readItems = false, IProgress<TransferProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        Check(to);
        var full = LocalPath.Full(folder);
        return TransferJob.Start(
            job => ClientServices.Of(_client).Meter.MeasureWholeAsync("send", _time, () => RunAsync(full, to, job), job.CancellationToken),
            readItems, progress, cancellationToken);
    }

    internal async Task<JobResult> RunAsync(string folder, IReadOnlyList<SpoolRecipient> to, TransferJobContext job)
    {
        var ct = job.CancellationToken;
        ct.ThrowIfCancellationRequested();
        var started = _time.GetTimestamp();
        if (!DiskDirectories.Exists(folder)) throw new TransferException(TransferError.NotFound, $"There is no folder {folder}.");
        var state = new SpoolState(_options.StateFolder);
        var store = new SpoolStore(_client, _path, _logger, job);
        var name = await _key.NameAsync(state, _time, ct).ConfigureAwait(false);
        var what = $"spool {folder} {store.Name} {name} {string.Join(' ', to)}";
        using var journal = SpoolSenderJournal.Open(state.PathOf(what, ".spool"));
        using var files = ItemJournal.Open(state.PathOf(what, ".files"), what, _options.Resume, _logger);
        var sent = new VersionStore(state, _time, _logger);
        using var versions = await OpenVersionsAsync(sent, folder, store, name, to, files.Continues, ct).ConfigureAwait(false);
        using var confirmed = new ConfirmedVersions(sent, _logger);
        var buffers = JobBuffers.ForSpooling(_options.MaxBufferBytes, _options.Sessions, _options.Deltas);
        using var sending = new SpoolSending(store, _key, journal, versions, confirmed, buffers.Archives, _logger);
        await sending.RecoverAsync(_options.Resume, ct).ConfigureAwait(false);
        using var keys = JobKeys.Create([_key.Wrapper, .. to.Where(one => one.Key is not null).Select(one => one.Key!.Recipient)]);
        // Greater than the last one even if the clock was set back. The next number is given out only after the head with this one is
        // stored: recipients rely on the order.
        using var sequence = await state.HoldAsync($"sequence of {name} in {store.Name}",
            last => Math.Max(last + 1, _time.GetUtcNow().ToUnixTimeMilliseconds()), _time, ct).ConfigureAwait(false);
        var head = await HeadAsync(keys, state, $"line of {name} in {store.Name}", sequence.Value, to, ct).ConfigureAwait(false);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var reporter = new ProgressReporter(job.Progress, _time, stop);
        await using var reporting = reporter.ConfigureAwait(false);
        var archives = FolderArchives.Open(folder,
            PackOptions(reporter, files, head, versions, sending.MayBeRepeated, job) with { Buffers = buffers }, keys);
        await using var packing = archives.ConfigureAwait(false);
        try
        {
            await sending.PutAsync(archives, keys, head, _options.Sessions, sequence.Dispose, stop.Token).ConfigureAwait(false);
            await archives.CompleteAsync(null).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            await archives.CompleteAsync(
                e as TransferException ?? new TransferException(TransferError.Lost, "The job was broken off.", e)).ConfigureAwait(false);
            if (reporter.Fault is { } fault && !ct.IsCancellationRequested) throw fault;
            throw;
        }
        // The journals stay: recipients may have the whole job, and the next run goes on from there.
        if (archives.HasPostponed) job.Stopping.ThrowIfCancellationRequested();
        var result = archives.Tally.ToResult(_time.GetElapsedTime(started), _options.Sessions);
        journal.Delete(_logger);
        if (result.Failed == 0) files.Delete();
        return result;
    }

    // A job without deltas neither builds on earlier jobs nor serves as a base for later ones.
    private async ValueTask<SentVersions?> OpenVersionsAsync(VersionStore sent, string folder, SpoolStore store, string name,
        IReadOnlyList<SpoolRecipient> to, bool continues, CancellationToken ct)
    {
        // A folder and a spool can have many names, and another folder may have the same files: the search for versions that prevent a base
        // covers all jobs of the key.
        var family = VersionStore.IdOf(name);
        HashSet<string> whom = [.. to.Select(VersionHead.IdOf)];
        if (_options.Deltas)
        {
            return new SentVersions(sent, new LocalTreeReader(folder, _logger), family, VersionStore.IdOf(store.Name),
                whom)
            { Continues = continues };
        }

        using var held = await sent.HoldAsync(ct).ConfigureAwait(false);
        sent.Forget(family, whom);
        return null;
    }

    private async ValueTask<SpoolHead> HeadAsync(JobKeys keys, SpoolState state, string line, long sequence,
        IReadOnlyList<SpoolRecipient> to, CancellationToken ct)
    {
        return new SpoolHead
        {
            Job = keys.Job,
            Commitment = SpoolHead.Commit(keys.Secret!, keys.Job),
            Line = await state.RandomAsync(line, _time, ct).ConfigureAwait(false),
            Sequence = sequence,
            Sent = _time.GetUtcNow().ToUnixTimeMilliseconds(),
            Deadline = (long)Math.Ceiling(_options.Deadline.GetValueOrDefault().TotalSeconds),
            Sender = _key.Public,
            To = to,
        };
    }

    private void Check(IReadOnlyList<SpoolRecipient> to)
    {
        ArgumentNullException.ThrowIfNull(to);
        if (to.Count is 0 or > SpoolHead.MostRecipients)
            throw new ArgumentException($"1 to {SpoolHead.MostRecipients} recipients are wanted.", nameof(to));
        if (to.FirstOrDefault(one => !SpoolRecipient.IsName(one.Name)) is { } nameless)
        {
            throw new ArgumentException(
                $"'{nameless.Name}' is no name of a recipient: 1 to {SpoolRecipient.MostName} characters, without any that can't be seen.",
                nameof(to));
        }

        if (to.Select(one => one.Name).Distinct(StringComparer.Ordinal).Count() < to.Count)
            throw new ArgumentException("Two recipients have the same name.", nameof(to));
        if (to.Any(one => (one.Key is null) != (_key.Public is null)))
        {
            throw new ArgumentException(
                _key.Public is null ? "Where a key or a passphrase is shared, recipients have no keys of their own."
                : "Each recipient needs a public key.", nameof(to));
        }
    }

    private BatchPackOptions PackOptions(ProgressReporter progress, ItemJournal journal, SpoolHead head, SentVersions? versions,
        bool isAgain, TransferJobContext job) => new BatchPackOptions
        {
            Compress = _options.Compress,
            Filter = _options.Filter,
            Links = _options.Links,
            Finish = job.Stopping,
            Items = job.Items,
            Room = job.WhenItemsAreReadAsync,
            Progress = progress,
            Journal = journal,
            Bases = versions,
            Finished = versions is null ? null : versions.Finish,
            Manifest = SpoolStatement.Hash(head.ToBytes()),
            MayBeRepeated = isAgain,
            Logger = _logger,
        }.Cut(_options.ArchiveBytes, _options.ArchiveFiles);
}
