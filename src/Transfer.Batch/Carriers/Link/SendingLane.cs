using System.Runtime.ExceptionServices;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Local;
using Transfer.Sessions;

namespace Transfer.Batch.Carriers.Link;

/// <summary>One connection of a sender: archives go one behind the other without waiting for their results, and the receiver's messages are
/// read meanwhile.</summary>
internal sealed class SendingLane : IDisposable
{
    // The unconfirmed archives under way. They are not kept in memory: lost ones are packed again.
    private const int MaxUnconfirmed = 8;

    // More than any archive has files.
    private const int MaxFailures = 100_000;

    private readonly LinkConnection _link;
    private readonly OpenedLink _opened;
    private readonly SendingJob _job;
    private readonly int _lanes;
    private readonly SignatureRequests? _questions;
    private readonly LaneRequests? _asked;
    private readonly ContentPace? _flow;
    private readonly LaneWork _work;
    private readonly TimeProvider _time;
    private readonly Action<TimeSpan, TimeSpan> _onPace;
    private readonly SemaphoreSlim _room = new(MaxUnconfirmed);
    private readonly Dictionary<long, CarriedArchive> _unconfirmed = [];
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ExceptionDispatchInfo? _readFault;

    /// <param name="opened">The connection.</param>
    /// <param name="job">The job of the archives.</param>
    /// <param name="lanes">The expected number of lanes.</param>
    /// <param name="questions">The requests to send meanwhile; null: none.</param>
    /// <param name="flow">The pace of content; null: none.</param>
    /// <param name="board">The lanes at work.</param>
    /// <param name="time">The clock.</param>
    /// <param name="onPace">Receives for each archive how long writers waited for the connection, and how long the archive took.</param>
    public SendingLane(OpenedLink opened, SendingJob job, int lanes, SignatureRequests? questions, ContentPace? flow, LaneBoard board,
        TimeProvider time, Action<TimeSpan, TimeSpan> onPace)
    {
        _opened = opened;
        _link = opened.Connection;
        _job = job;
        _lanes = lanes;
        _questions = questions;
        if (opened.HasFiles is { } has) questions?.Accepted(has);
        if (questions is not null) _asked = new LaneRequests(questions, opened.Connection.Writer);
        _flow = flow;
        _work = board.Add();
        _time = time;
        _onPace = onPace;
    }

    /// <summary>Whether an archive was confirmed over the lane.</summary>
    public bool HasProgressed { get; private set; }

    /// <summary>Carries archives until the job has ended. After a failure, unconfirmed archives have been given back.</summary>
    /// <exception cref="TransferException">The connection was lost, or the receiver refused the lane.</exception>
    public async Task RunAsync(CancellationToken ct)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct, _link.Broken);
        var reading = Task.Run(() => ReadAsync(end.Token), CancellationToken.None);
        var asking = Task.CompletedTask;
        try
        {
            await _link.Writer.WriteAsync(new JobBeginMessage(_job.Id, (ushort)_lanes), end.Token).ConfigureAwait(false);
            if (_asked is not null) asking = _asked.RunAsync(end.Token);
            await SendAsync(end.Token).ConfigureAwait(false);
            await _link.CloseAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            ct.ThrowIfCancellationRequested();
            _readFault?.Throw();
            throw _link.Fault ?? e;
        }
        finally
        {
            // Further messages of the receiver are useless: all is sent, or nothing can be.
            _link.Abort(new TransferConnectionException(TransferError.Lost, "The lane has ended."));
            await reading.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await asking.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            GiveBack();
            _asked?.GiveBack();
        }
    }

    public void Dispose()
    {
        _work.Dispose();
        _room.Dispose();
        _asked?.Dispose();
    }

    private async Task SendAsync(CancellationToken ct)
    {
        while (true)
        {
            await _room.WaitAsync(ct).ConfigureAwait(false);
            if (await _job.TakeAsync(ct).ConfigureAwait(false) is not { } archive) break;
            var (started, waited) = (_time.GetTimestamp(), _link.Writer.Waited);
            await CarryAsync(archive, ct).ConfigureAwait(false);
            _onPace(_link.Writer.Waited - waited, _time.GetElapsedTime(started));
        }
        while (await _job.WhenEndIsFreeAsync(ct).ConfigureAwait(false))
        {
            _job.ThrowIfUnfinished();
            if (_job.TryBeginEnd()) await EndAsync(ct).ConfigureAwait(false);
        }
    }

    private async ValueTask CarryAsync(CarriedArchive archive, CancellationToken ct)
    {
        archive.Begin();
        lock (_unconfirmed) _unconfirmed.Add(archive.Index, archive);
        var packing = false;
        _work.Begin(archive.Index);
        try
        {
            await _link.Writer.WriteAsync(new ArchiveBeginMessage(archive.Index, _job.SettledBelow), ct).ConfigureAwait(false);
            var stream = new ArchiveWriteStream(_link.Writer, _flow, _work.Moved);
            await using (stream.ConfigureAwait(false))
            {
                packing = true;
                await archive.Archive.WriteToAsync(stream, ct).ConfigureAwait(false);
                packing = false;
                await stream.FlushAsync(ct).ConfigureAwait(false);
            }
            await _link.Writer.WriteAsync(new ArchiveEndMessage(), ct).ConfigureAwait(false);
        }
        catch (Exception failure)
            when (packing && _link.Fault is null && !ct.IsCancellationRequested
                && (failure is TransferException || LocalErrors.IsLocal(failure)))
        {
            // Not the connection's fault: the archive can't be packed.
            var e = LocalErrors.Map(failure, "The archive can't be packed:", string.Empty);
            if (Remove(archive.Index) is not null) archive.Settle(() => _job.Refuse(archive, e));
            await _link.Writer.WriteAsync(new ArchiveAbandonedMessage(), ct).ConfigureAwait(false);
        }
        finally
        {
            _work.End();
            archive.EndPacking();
        }
    }

    private async ValueTask EndAsync(CancellationToken ct)
    {
        try
        {
            await _link.Writer.WriteAsync(new JobEndMessage(_job.Confirmed, _job.GivenUp), ct).ConfigureAwait(false);
            await _done.Task.WaitAsync(ct).ConfigureAwait(false);
            await _link.Writer.WriteAsync(new ByeMessage(), ct).ConfigureAwait(false);
            _job.End();
        }
        catch
        {
            _job.EndFailed();
            throw;
        }
    }

    // A failure here breaks the connection, so that the writer fails too.
    private async Task ReadAsync(CancellationToken ct)
    {
        try
        {
            var accepted = await LogInClock.RunAsync("The log-in at the receiver", _opened.LogInTimeout, _time,
                clock => EnterAsync(clock.Token), ct, _opened.LogInTime).ConfigureAwait(false);
            _job.Accepted(accepted.Instance);
            _questions?.Accepted(accepted.HasBases);
            while (await _link.Reader.ReadAsync(ct).ConfigureAwait(false) is { } message)
            {
                // Any message shows that the receiver is at work.
                _questions?.Heard();
                Take(message);
            }
            if (!_job.Ended.IsCompleted)
                _link.Abort(new TransferConnectionException(TransferError.Lost, "The receiver ended the connection."));
        }
        catch (TransferException e)
        {
            _link.Abort(e);
        }
        catch (OperationCanceledException)
        {
            // The lane has ended in another way.
        }
        catch (Exception e)
        {
            // Not an error of the connection but of the application's handler. The lane ends, and the job.
            _readFault = ExceptionDispatchInfo.Capture(e);
            _link.Abort(new TransferConnectionException(TransferError.Lost, "A message of the receiver could not be processed.", e));
        }
    }

    // Reads the receiver's hello and the acceptance of the job.
    private async ValueTask<JobAcceptedMessage> EnterAsync(CancellationToken ct)
    {
        var hello = (await _link.Reader.NextAsync(ct).ConfigureAwait(false)).As<HelloMessage>();
        _opened.Check(hello);
        _link.KeepAwake(TimeSpan.FromMilliseconds(hello.IdleTimeout));
        _link.Reader.MaxPayload = LinkFrame.MaxPayload;
        return (await _link.Reader.NextAsync(ct).ConfigureAwait(false)).As<JobAcceptedMessage>();
    }

    private void Take(LinkMessage message)
    {
        switch (message.Type)
        {
            case LinkMessageType.FileFailure:
                var failure = message.As<FileFailureMessage>();
                if (Find(failure.Index) is { Failures.Count: < MaxFailures } archive) archive.Add(failure.Failure);
                else throw NotDue(message.Type, failure.Index);
                break;
            case LinkMessageType.FileSkipped:
                var skipped = message.As<FileSkippedMessage>();
                if (Find(skipped.Index) is { Skipped.Count: < MaxFailures } holder) holder.AddSkipped(skipped.Path);
                else throw NotDue(message.Type, skipped.Index);
                break;
            case LinkMessageType.Receipt:
                var receipt = message.As<ReceiptMessage>();
                var confirmed = Remove(receipt.Index) ?? throw NotDue(message.Type, receipt.Index);
                HasProgressed = true;
                confirmed.Settle(() => _job.Confirm(confirmed, receipt.Digest, receipt.Files));
                break;
            case LinkMessageType.ArchiveRefused:
                var refusal = message.As<ArchiveRefusedMessage>();
                var refused = Remove(refusal.Index) ?? throw NotDue(message.Type, refusal.Index);
                var error = new TransferException(refusal.Error, $"The receiver says: {refusal.Reason}");
                refused.Settle(() =>
                {
                    if (error.IsTransient || error.Error == TransferError.Integrity) _job.GiveBack(refused, error);
                    else _job.Refuse(refused, error);
                });
                break;
            case LinkMessageType.Signature when _asked is not null:
                _asked.Take(message.As<SignatureMessage>());
                break;
            case LinkMessageType.JobDone:
                message.As<JobDoneMessage>();
                _done.TrySetResult();
                break;
            default:
                throw message.Type == LinkMessageType.Error
                    ? message.Refusal()
                    : new TransferException(TransferError.Protocol,
                        $"The receiver sent a message of type {message.Type}, which receivers do not send.");
        }
    }

    private static TransferException NotDue(LinkMessageType type, long index) =>
        new(TransferError.Protocol, $"The receiver sent a message of type {type} for archive {index}, which is not under way.");

    private CarriedArchive? Find(long index)
    {
        lock (_unconfirmed) return _unconfirmed.GetValueOrDefault(index);
    }

    private CarriedArchive? Remove(long index)
    {
        lock (_unconfirmed)
        {
            if (!_unconfirmed.Remove(index, out var archive)) return null;
            _room.Release();
            return archive;
        }
    }

    private void GiveBack()
    {
        CarriedArchive[] lost;
        lock (_unconfirmed)
        {
            lost = [.. _unconfirmed.Values];
            _unconfirmed.Clear();
        }
        var reason = _link.Fault ?? new TransferConnectionException(TransferError.Lost, "The connection was lost.");
        foreach (var archive in lost) _job.GiveBack(archive, reason);
    }
}
