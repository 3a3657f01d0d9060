using Microsoft.Extensions.Logging;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>One connection of an authenticated sender: takes archives to the job and sends their results.</summary>
internal sealed class ReceivingLane : IDisposable
{
    // Archives that are read while the files of those before are made safe.
    private const int MaxUnfinished = 4;

    // How long the other side may take to read the reason of a refusal.
    private static readonly TimeSpan Farewell = TimeSpan.FromSeconds(2);

    private readonly LinkConnection _link;
    private readonly ReceivingJobs _jobs;
    private readonly ILogger _logger;
    private readonly SemaphoreSlim _room = new(MaxUnfinished);
    private readonly List<Task> _unfinished = [];

    private ReceivingLane(LinkConnection link, ReceivingJobs jobs, ILogger logger)
    {
        _link = link;
        _jobs = jobs;
        _logger = logger;
    }

    /// <summary>Serves a connection behind both sides' <see cref="HelloMessage"/>s until the end. Never throws because of the other
    /// side.</summary>
    public static async Task RunAsync(LinkConnection link, ReceivingJobs jobs, ILogger logger, CancellationToken ct)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct, link.Broken);
        try
        {
            using var lane = new ReceivingLane(link, jobs, logger);
            await lane.RunAsync(end.Token).ConfigureAwait(false);
            await link.CloseAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            if (link.Fault is { } fault) Log.LaneLost(logger, fault.Message);
        }
        catch (TransferException e)
        {
            Log.LaneLost(logger, e.Message);
            await RefuseAsync(link, e).ConfigureAwait(false);
        }
    }

    /// <summary>Sends the reason for ending a connection, and closes the connection.</summary>
    public static async ValueTask RefuseAsync(LinkConnection link, TransferException reason)
    {
        if (link.Fault is not null) return;
        try
        {
            // An error of the connection, or of the other side itself, is not sent back.
            if (reason is not TransferConnectionException)
                await link.Writer.WriteAsync(new ErrorMessage(reason.Error, reason.Message), link.Broken).ConfigureAwait(false);
            await link.CloseAsync().ConfigureAwait(false);
            await link.LingerAsync(Farewell).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            // The connection is gone already, and the peer with it.
        }
    }

    public void Dispose() => _room.Dispose();

    private async Task RunAsync(CancellationToken ct)
    {
        var begin = (await _link.Reader.NextAsync(ct).ConfigureAwait(false)).As<JobBeginMessage>();
        var job = _jobs.Join(begin.Job);
        var saidBye = false;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct, job.Abandoned);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(end.Token, job.Stopped);
        using var work = job.AddWork();
        var answers = new LaneResponder(_link, job.Bases, job.Buffers, _logger, end.Token);
        try
        {
            await _link.Writer.WriteAsync(new JobAcceptedMessage(job.Instance, ReceivingJobs.MaxLanes, job.Bases is not null),
                end.Token).ConfigureAwait(false);
            while (!saidBye && await _link.Reader.ReadAsync(stop.Token).ConfigureAwait(false) is { } message)
            {
                switch (message.Type)
                {
                    case LinkMessageType.ArchiveBegin:
                        await ReceiveAsync(job, message.As<ArchiveBeginMessage>(), work, answers, end.Token,
                            stop.Token).ConfigureAwait(false);
                        break;
                    case LinkMessageType.SignatureWanted:
                        answers.Take(message.As<SignatureWantedMessage>());
                        break;
                    case LinkMessageType.JobEnd:
                        var done = await job.EndAsync(message.As<JobEndMessage>().GivenUp, stop.Token).ConfigureAwait(false);
                        await _link.Writer.WriteAsync(done, ct).ConfigureAwait(false);
                        break;
                    case LinkMessageType.Bye:
                        message.As<ByeMessage>();
                        saidBye = true;
                        break;
                    default:
                        throw message.Type == LinkMessageType.Error
                            ? message.Refusal()
                            : new TransferException(TransferError.Protocol, $"A message of type {message.Type} was not due.");
                }
            }
        }
        catch (OperationCanceledException) when (job.IsEndedHere && !ct.IsCancellationRequested)
        {
            // Archives that have begun are confirmed first, unless the job is cancelled.
            throw ReceivingJob.Refusal();
        }
        finally
        {
            await Task.WhenAll(_unfinished).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await answers.DisposeAsync().ConfigureAwait(false);
            _jobs.RemoveLane(job, saidBye);
        }
    }

    private async ValueTask ReceiveAsync(ReceivingJob job, ArchiveBeginMessage begin, LaneWork work, LaneResponder answers,
        CancellationToken ct, CancellationToken stop)
    {
        await _room.WaitAsync(ct).ConfigureAwait(false);
        var archive = new ArchiveReadStream(_link.Reader, answers.Take);
        var finished = Task.Run(() => FinishAsync(job, begin, archive, work, ct), CancellationToken.None);
        _unfinished.RemoveAll(task => task.IsCompleted);
        _unfinished.Add(finished);

        // The next archive may arrive as soon as this one's bytes are read, not only when the files are safe.
        await Task.WhenAny(archive.Ended, finished).ConfigureAwait(false);
        if (!archive.Ended.IsCompleted) await archive.DrainAsync(stop).ConfigureAwait(false);
        if (archive.Fault is { } fault) throw fault;
    }

    private async Task FinishAsync(ReceivingJob job, ArchiveBeginMessage begin, ArchiveReadStream archive, LaneWork work,
        CancellationToken ct)
    {
        try
        {
            var receipt = await job.ReceiveAsync(begin, archive, work, ct).ConfigureAwait(false);
            foreach (var failure in receipt.Failures)
                await _link.Writer.WriteAsync(new FileFailureMessage(begin.Index, failure), ct).ConfigureAwait(false);
            foreach (var path in receipt.Skipped)
                await _link.Writer.WriteAsync(new FileSkippedMessage(begin.Index, path), ct).ConfigureAwait(false);
            await _link.Writer.WriteAsync(new ReceiptMessage(begin.Index, receipt.Digest.ToArray(), receipt.Files),
                ct).ConfigureAwait(false);
        }
        catch (Exception e) when (archive.Abandoned || archive.Fault is not null || ct.IsCancellationRequested)
        {
            // The sender gave the archive up, or the lane is lost: no answer is needed.
            Log.ArchiveGivenUp(_logger, begin.Index, e.Message);
        }
        catch (TransferException e)
        {
            Log.ArchiveRefused(_logger, begin.Index, e.Error, e.Message);
            await _link.Writer.WriteAsync(new ArchiveRefusedMessage(begin.Index, e.Error, e.Message), ct).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // A fault of this SDK: the sender must not wait for an answer that never arrives.
            Log.ArchiveFault(_logger, begin.Index, e);
            _link.Abort(new TransferConnectionException(TransferError.Protocol, $"Archive {begin.Index} could not be received.", e));
        }
        finally
        {
            _room.Release();
        }
    }
}
