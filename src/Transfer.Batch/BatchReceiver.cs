using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Carriers.Link;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Sealing;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Batch;

/// <summary>Receives the jobs of <see cref="BatchSender"/>s into a folder. Only senders that have the <see cref="Address"/> with the token
/// are accepted.</summary>
public sealed class BatchReceiver : IAsyncDisposable
{
    private readonly DirectIdentity _identity;
    private readonly SharedKey _shared;
    private readonly KeyRing _keys;
    private readonly ReceivingJobs _jobs;
    private readonly DirectListener _listener;
    private readonly ServerMeter _meter;
    private readonly BatchReceiverOptions _options;
    private readonly CancellationTokenSource _stopCleaning = new();
    private readonly Task _cleaning;
    private int _disposed;

    private BatchReceiver(string folder, BatchReceiverOptions options)
    {
        JobBuffers.Check(options.MaxBufferBytes, ReceivingJobs.MaxLanes, nameof(options));
        _options = options;
        var logger = LoggerOf(options);
        _identity = options.StateFolder is { } state ? DirectIdentityFile.Open(state) : DirectIdentity.Create();
        _shared = new SharedKey(_identity.Token.DeriveKey(DirectSealing.Purpose));
        _keys = new KeyRing(_shared);
        _jobs = new ReceivingJobs(id => OpenSink(folder, id, _keys, ReceivingJobs.MaxLanes, options, _meter!), options.Keep,
            options.ReturnTimeout, options.TimeProvider, logger);
        try
        {
            _listener = new DirectListener(Where(options), _identity, _jobs,
                () => options.Deltas && FolderBases.Of(LocalPath.Full(folder), options.Overwrite) is not null, options.IdleTimeout,
                options.TimeProvider, logger, JobBuffers.ForReceiving(options.MaxBufferBytes, ReceivingJobs.MaxLanes).Ahead);
        }
        catch
        {
            _identity.Dispose();
            _keys.Dispose();
            _shared.Dispose();
            throw;
        }
        _cleaning = CleanAsync(folder, options, _stopCleaning.Token);
        Address = new BatchAddress(options.Host ?? OwnAddress.For(_listener.EndPoint.Address), _listener.EndPoint.Port, _identity.Token);
        _meter = new ServerMeter(new Uri(Address.ToString()));
        _listener.Start();
    }

    /// <summary>The address for senders, with the token.</summary>
    public BatchAddress Address { get; }

    /// <summary>The address and port of the listening socket.</summary>
    public IPEndPoint EndPoint => _listener.EndPoint;

    /// <summary>Begins to listen.</summary>
    /// <param name="folder">The folder into which jobs are unpacked; created if missing.</param>
    /// <param name="options">How to receive.</param>
    /// <exception cref="ArgumentException"><see cref="BatchReceiverOptions.AllowUnsealed"/> is set: archives that arrive over a network are
    /// sealed.</exception>
    /// <exception cref="TransferException">The address is taken or the key can't be kept (<see cref="TransferError.Denied"/>); the folder,
    /// or one above, is a file (<see cref="TransferError.Exists"/>).</exception>
    public static BatchReceiver Listen(string folder, BatchReceiverOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (options is { AllowUnsealed: true })
        {
            throw new ArgumentException(
                "Who listens accepts nothing unsealed: AllowUnsealed is for two streams that something else protects.", nameof(options));
        }

        var full = LocalPath.Full(folder);
        // Else only a sender would learn that.
        TargetFolders.CheckPossible(full);
        return new BatchReceiver(full, options ?? new BatchReceiverOptions());
    }

    /// <summary>
    /// Receives the next job: that of a sender that waits, else of the next sender. Files arrive while there is such a call, or a handle:
    /// until then senders are connected, and wait. Without <see cref="BatchReceiverOptions.Keep"/> there is only one job.
    /// </summary>
    /// <param name="progress">Receives the state of the job, about ten times a second.</param>
    /// <param name="cancellationToken">Cancels the job; files that have arrived stay, and the sender's job fails.</param>
    /// <returns>The result of the job.</returns>
    /// <exception cref="InvalidOperationException">The receiver's only job has ended.</exception>
    /// <exception cref="TransferException">The sender's connections were lost, and the sender did not return; or the receiver was disposed
    /// of (<see cref="TransferError.Lost"/>).</exception>
    public Task<JobResult> ReceiveAsync(IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default) =>
        StartReceive(readItems: false, progress, cancellationToken).Completion;

    /// <summary>
    /// Starts <see cref="ReceiveAsync(IProgress{TransferProgress}, CancellationToken)"/>. After <see cref="TransferJob.StopAsync"/> no
    /// further archive begins; the files of archives under way get their names and are confirmed, and the sender's job fails with
    /// <see cref="TransferError.Denied"/>. <see cref="BatchSenderOptions.Resume"/> sends the rest, to the next handle. While the job is
    /// paused, the sender waits.
    /// </summary>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <inheritdoc cref="ReceiveAsync(IProgress{TransferProgress}, CancellationToken)" path="/param"/>
    /// <returns>The job, which begins with the wait for a sender. Of several, the first one started has the first sender.</returns>
    public TransferJob StartReceive(
        bool readItems = false, IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default) =>
        TransferJob.Start(
            handle => _jobs.RunNextAsync(handle, job => MeasureAsync(job, handle.CancellationToken)), readItems, progress,
            cancellationToken);

    /// <summary>Starts each job as its sender begins, any number at once; for receivers with <see cref="BatchReceiverOptions.Keep"/>. See
    /// <see cref="StartReceive(bool, IProgress{TransferProgress}, CancellationToken)"/>.</summary>
    /// <param name="readItems">Whether items are kept for <see cref="TransferJob.ReadItemsAsync"/>, and must be read.</param>
    /// <param name="cancellationToken">Ends the enumeration, not the jobs.</param>
    /// <returns>The jobs, until the receiver is disposed of, or its only job has ended.</returns>
    public async IAsyncEnumerable<TransferJob> StartReceivingAsync(
        bool readItems = false, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        while (await _jobs.NextAsync(cancellationToken).ConfigureAwait(false) is { } job)
        {
            yield return TransferJob.Start(
                handle => MeasureAsync(() => job.RunAsync(handle), handle.CancellationToken), readItems, progress: null,
                CancellationToken.None);
        }
    }

    /// <summary>Receives one job over two streams that are safe already, such as standard input and output of a command that was started
    /// over SSH.</summary>
    /// <param name="folder">The folder into which the job is unpacked; created if missing.</param>
    /// <param name="input">The stream that the sender writes.</param>
    /// <param name="output">The stream that the sender reads.</param>
    /// <param name="options">How to receive, with <see cref="BatchReceiverOptions.AllowUnsealed"/>; options about listening have no
    /// effect.</param>
    /// <param name="progress">Receives the state of the job, about ten times a second.</param>
    /// <param name="cancellationToken">Cancels the job; files that have arrived stay.</param>
    /// <exception cref="ArgumentException"><see cref="BatchReceiverOptions.AllowUnsealed"/> is not set, but archives over two streams are
    /// not sealed.</exception>
    /// <exception cref="TransferException">There was no job, or its sender was lost.</exception>
    public static Task<JobResult> ReceiveAsync(string folder, Stream input, Stream output, BatchReceiverOptions options,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default) =>
        StartReceive(folder, input, output, options, readItems: false, progress, cancellationToken).Completion;

    /// <summary>Starts
    /// <see cref="ReceiveAsync(string, Stream, Stream, BatchReceiverOptions, IProgress{TransferProgress}, CancellationToken)"/>.</summary>
    /// <inheritdoc cref="ReceiveAsync(string, Stream, Stream, BatchReceiverOptions, IProgress{TransferProgress}, CancellationToken)"
    /// path="/param"/>
    /// <inheritdoc cref="TransferJob.Start" path="/param[@name='readItems']"/>
    /// <returns>The job.</returns>
    public static TransferJob StartReceive(string folder, Stream input, Stream output, BatchReceiverOptions options, bool readItems = false,
        IProgress<TransferProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        ArgumentNullException.ThrowIfNull(input);
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(options);
        if (!options.AllowUnsealed)
        {
            throw new ArgumentException(
                "Archives come unsealed over two streams: AllowUnsealed says that something else protects them, such as SSH.",
                nameof(options));
        }

        JobBuffers.Check(options.MaxBufferBytes, 1, nameof(options));
        folder = LocalPath.Full(folder);
        return TransferJob.Start(handle => ReceiveAsync(folder, new DuplexStream(input, output), options, handle), readItems, progress,
            cancellationToken);
    }

    /// <summary>Stops listening and breaks off running jobs; files that have arrived stay.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        await _listener.DisposeAsync().ConfigureAwait(false);
        await _jobs.DisposeAsync().ConfigureAwait(false);
        await _stopCleaning.CancelAsync().ConfigureAwait(false);
        await _cleaning.ConfigureAwait(false);
        _stopCleaning.Dispose();
        _keys.Dispose();
        _shared.Dispose();
        _identity.Dispose();
    }

    private static async Task<JobResult> ReceiveAsync(
        string folder, DuplexStream stream, BatchReceiverOptions options, TransferJobContext handle)
    {
        using var keys = new KeyRing() { AllowsUnsealed = true };
        // Concurrent, since the sender waits for the first message.
        var cleaning = CleanAsync(folder, options, handle.CancellationToken);
        try
        {
            return await StreamReceiver.ReceiveAsync(stream, id => OpenSink(folder, id, keys, 1, options, ServerMeter.OfStreams),
                options.IdleTimeout, options.TimeProvider, LoggerOf(options), handle).ConfigureAwait(false);
        }
        finally
        {
            await cleaning.ConfigureAwait(false);
        }
    }

    private Task<JobResult> MeasureAsync(Func<Task<JobResult>> job, CancellationToken cancellationToken) =>
        _meter.MeasureAsync("receive", _options.TimeProvider, job, cancellationToken);

    private static Task CleanAsync(string folder, BatchReceiverOptions options, CancellationToken ct) =>
        Task.Run(() => KilledRuns.Clean(folder, options.TimeProvider, LoggerOf(options), ct), CancellationToken.None);

    private static ILogger LoggerOf(BatchReceiverOptions options) => PrintableLogger.Create(options.LoggerFactory, "Transfer.Batch");

    private static IPEndPoint Where(BatchReceiverOptions options) => options.Listen
        ?? new IPEndPoint(Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any,
            options.StateFolder is null ? 0 : BatchAddress.DefaultPort);

    private static FolderSink OpenSink(string folder, byte[] id, KeyRing keys, int lanes, BatchReceiverOptions options, ServerMeter meter)
    {
        var logger = LoggerOf(options);
        var unpack = new BatchUnpackOptions
        {
            Buffers = JobBuffers.ForReceiving(options.MaxBufferBytes, lanes).Archives,
            Overwrite = options.Overwrite,
            PreserveMode = options.PreserveMode,
            Durability = options.Durability,
            Job = JobId.Read(id),
            Logger = logger,
        };
        return new FolderSink(folder, unpack, keys, options.Deltas, (handle, onFault) =>
            new ProgressReporter(handle.Progress, options.TimeProvider, onFault) { Meter = meter, Direction = WorkKind.Download });
    }
}
