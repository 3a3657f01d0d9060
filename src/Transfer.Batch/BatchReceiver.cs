using System.Net;
using System.Net.Sockets;
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
    /// <exception cref="TransferException">The address is taken or the key can't be kept (<see cref="TransferError.Denied"/>).</exception>
    public static BatchReceiver Listen(string folder, BatchReceiverOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (options is { AllowUnsealed: true })
        {
            throw new ArgumentException(
                "Who listens accepts nothing unsealed: AllowUnsealed is for two streams that something else protects.", nameof(options));
        }

        return new BatchReceiver(LocalPath.Full(folder), options ?? new BatchReceiverOptions());
    }

    /// <summary>Waits for the end of the next job; without <see cref="BatchReceiverOptions.Keep"/> there is only one. Not for concurrent
    /// calls.</summary>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>The result of the job.</returns>
    /// <exception cref="TransferException">The sender's connections were lost, and the sender did not return
    /// (<see cref="TransferError.Lost"/>).</exception>
    public async Task<JobResult> ReceiveAsync(CancellationToken cancellationToken = default)
    {
        return await _meter.MeasureAsync("receive", _options.TimeProvider, NextAsync, cancellationToken).ConfigureAwait(false);

        async Task<JobResult> NextAsync()
        {
            var job = await _jobs.EndedJobs.ReadAsync(cancellationToken).ConfigureAwait(false);
            return await job.Completion.ConfigureAwait(false);
        }
    }

    /// <summary>Receives one job over two streams that are safe already, such as standard input and output of a command that was started
    /// over SSH.</summary>
    /// <param name="folder">The folder into which the job is unpacked; created if missing.</param>
    /// <param name="input">The stream that the sender writes.</param>
    /// <param name="output">The stream that the sender reads.</param>
    /// <param name="options">How to receive, with <see cref="BatchReceiverOptions.AllowUnsealed"/>; options about listening have no
    /// effect.</param>
    /// <param name="cancellationToken">Stops the job.</param>
    /// <exception cref="ArgumentException"><see cref="BatchReceiverOptions.AllowUnsealed"/> is not set, but archives over two streams are
    /// not sealed.</exception>
    /// <exception cref="TransferException">There was no job, or its sender was lost.</exception>
    public static async Task<JobResult> ReceiveAsync(string folder, Stream input, Stream output, BatchReceiverOptions options,
        CancellationToken cancellationToken = default)
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
        using var keys = new KeyRing() { AllowsUnsealed = true };
        folder = LocalPath.Full(folder);
        // Concurrent, since the sender waits for the first message.
        var cleaning = CleanAsync(folder, options, cancellationToken);
        try
        {
            return await StreamReceiver.ReceiveAsync(
                new DuplexStream(input, output), id => OpenSink(folder, id, keys, 1, options, ServerMeter.OfStreams), options.IdleTimeout,
                options.TimeProvider, LoggerOf(options), cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await cleaning.ConfigureAwait(false);
        }
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
            Items = options.Items,
            Logger = logger,
        };
        var progress = new ProgressReporter(options.Progress, options.TimeProvider, e => Log.ProgressFault(logger, e))
        {
            Meter = meter,
            Direction = WorkKind.Download
        };
        return new FolderSink(folder, unpack, keys, options.Deltas, progress);
    }
}
